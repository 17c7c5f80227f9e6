/** Whether an address leads to this machine (RFC 5735, RFC 4291). */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);
