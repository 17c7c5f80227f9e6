/** Reads the fields of forms in the bodies of requests. */
import type { Operation } from "../../helpers/contract/contract.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";
import { placeInForm } from "../../helpers/contract/schemas/form-fields.ts";
import { type Fields, fieldsIn } from "./values/fields.ts";

/**
 * Returns the fields of a form as they were sent. A repeated field has a list of its values.
 * @param type with the boundary between parts
 * @returns `undefined` if the body can't be read as a form of this media type
 */
export const sentForm = async (type: string, bytes: Buffer): Promise<Fields | undefined> => {
  if (placeInForm(type) === "form") return byName([...new URLSearchParams(bytes.toString("utf8"))]);
  const { partsIn } = await import("./form-parts.ts");
  return partsIn(type, bytes).then(byName, () => undefined);
};

const byName = (sent: readonly (readonly [name: string, text: string])[]): Fields =>
  Object.fromEntries(
    [...groupBy(sent, ([name]) => name)].map(([name, all]) => {
      const [first, ...others] = all.map(([, text]) => text);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );

/** Returns the body without its files, which no answer repeats. */
export const withoutFiles = ({ requestBody }: Operation, body: unknown): Fields => {
  const files = (requestBody?.fields ?? []).flatMap(({ name, written }) => (written === "file" ? name : []));
  return Object.fromEntries(Object.entries(fieldsIn(body)).filter(([name]) => !files.includes(name)));
};
