/** Comparisons of a credential with the right one, also lax ones for faults that accept similar credentials. */

/** Compares values of the header Authorization. The name of the scheme has no case (RFC 9110, 11.1). */
export const isSameAuthorization = (given: string, right: string): boolean =>
  inOneForm(given) === inOneForm(right);

const inOneForm = (value: string): string =>
  value.replace(/^([\w-]+) +(?=\S)/, (_, scheme: string) => `${scheme.toLowerCase()} `);

/** Whether a lax comparison takes the credential for the right one. */
export const isTakenFor = <Kind extends string>(
  faulty: (
    behaviour:
      | `${Kind}-in-any-case-accepted`
      | `${"start-of" | "end-of" | "longer" | "prefixed"}-${Kind}-accepted`
      | `${Kind}-with-other-middle-accepted`,
  ) => boolean,
  kind: Kind,
  given: string,
  right: string,
): boolean =>
  (faulty(`${kind}-in-any-case-accepted`) && given.toLowerCase() === right.toLowerCase()) ||
  (faulty(`start-of-${kind}-accepted`) && given !== "" && right.startsWith(given)) ||
  (faulty(`end-of-${kind}-accepted`) && given !== "" && right.endsWith(given)) ||
  (faulty(`longer-${kind}-accepted`) && given.startsWith(right)) ||
  (faulty(`prefixed-${kind}-accepted`) && given.endsWith(right)) ||
  (faulty(`${kind}-with-other-middle-accepted`) && endsOf(given) === endsOf(right));

/** Characters at each end that a lax comparison looks at. */
const END = 4;

const endsOf = (text: string): string => `${text.length} ${text.slice(0, END)} ${text.slice(-END)}`;
