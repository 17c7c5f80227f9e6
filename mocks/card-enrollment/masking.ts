/** Masks of personal data: something of the value remains to be recognised, never the whole. */

const MASK = "***";

/** The first letter of a value that is long enough to hide behind it. */
export const maskText = (value: string): string => {
  const letters = Array.from(value);
  return letters.length > 3 ? `${letters[0]}${MASK}` : MASK;
};

/** The first letters of the local part and of the domain. */
export const maskEmail = (value: string): string => {
  const at = value.lastIndexOf("@");
  if (at < 0) return maskText(value);
  return `${maskText(value.slice(0, at))}@${maskText(value.slice(at + 1))}`;
};

/** The last two digits of a number that is long enough. */
export const maskNumber = (value: string): string =>
  value.length > 5 ? `${"*".repeat(value.length - 2)}${value.slice(-2)}` : MASK;
