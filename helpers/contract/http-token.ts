/** Whether a text can be the name of a method or a header: a token (RFC 9110, 5.6.2). */
export const isToken = (text: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(text);
