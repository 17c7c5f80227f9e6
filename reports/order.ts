/** Orders texts by code units, so that no locale changes what a certificate looks like. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
