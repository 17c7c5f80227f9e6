/** Addresses of this machine. */

/** Whether only this machine reaches the address. */
export const isLoopback = (url: URL): boolean => /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname);
