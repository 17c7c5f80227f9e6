/**
 * Compares two OpenAPI documents: lists the changes and the operations they reach, with a witness for each breaking
 * change.
 */
import { digitsOf } from "../../helpers/accept/fingerprint.ts";
import type { EntryClass } from "../../helpers/contract/documents/upgrade.ts";
import { canonical, defined, isObject, isSame, type Json } from "../../helpers/contract/json.ts";
import { groupBy } from "../../helpers/contract/memoize.ts";
import { otherDialect } from "./compare/conditions.ts";
import { type Found, foundAs, type Occurrence, type SchemaRoot } from "./compare/found.ts";
import { compareOperations } from "./compare/operations.ts";
import { foundInSchemas } from "./compare/reach.ts";
import { actionOf, anyOf, openReason, ruleOf } from "./compare/rules.ts";
import { compareUnits } from "./compare/schemas.ts";
import { unusedComponents } from "./compare/unused-components.ts";
import { countDocumentation, withoutDocumentation } from "./document/documentation.ts";
import { type ApiDocument, type ApiOperation, type Both, type Sender, sendersOf } from "./document/model.ts";
import { wireOf } from "./document/security-schemes.ts";
import { countsOf, type Diff, type Entry, type Judged, type Reach } from "./entry.ts";
import { createJudge, type Judge } from "./witness/judge.ts";
import { searchWitness } from "./witness/witness.ts";

/** @param onEntry receives the number of changes judged so far */
export const diffDocuments = (
  base: ApiDocument,
  revision: ApiDocument,
  onEntry: (done: number, all: number) => void = () => {},
): Diff => {
  const judges: Both<Judge> = { old: createJudge(base), new: createJudge(revision) };
  // A change in one place is one entry, even if it reaches different messages.
  const found = [...groupBy(findAll(base, revision), identityOf).values()];
  const all = found.map((alike) => alike.reduce(merged));
  const entries = all.map((one, index) => {
    const entry = judged(judges, one);
    onEntry(index + 1, all.length);
    return entry;
  });
  return {
    format: "diff/1",
    old: { file: base.file, version: base.version, digest: base.digest },
    new: { file: revision.file, version: revision.version, digest: revision.digest },
    summary: { ...countsOf(entries), documentation: countDocumentation(base.root, revision.root) },
    entries: entries.sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class)),
  };
};

const ORDER: readonly EntryClass[] = ["breaking", "undecided", "compatible"];

const SENDERS = ["caller", "service"] as const;

const findAll = (base: ApiDocument, revision: ApiDocument): Found[] => {
  const { found, roots } = compareOperations(base, revision);
  const isOne = [base, revision].every(({ schemas }) => schemas.caller === schemas.service);
  const inSchemas = (isOne ? (["caller"] as const) : SENDERS).flatMap((sender) => {
    const schemas = { old: base.schemas[sender], new: revision.schemas[sender] };
    const units = compareUnits(schemas);
    const own = roots
      .filter(({ message }) => isOne || message.sender === sender)
      .map((root): SchemaRoot & { unit: string } => ({ ...root, unit: units.at(root, root.old, root.new) }));
    return foundInSchemas(units.all, own, schemas);
  });
  return [
    ...found,
    ...schemesChanged(base, revision),
    ...documentChanged(base, revision),
    ...inSchemas,
    ...unusedComponents(base.root, revision.root),
  ];
};

/** Finds changes of a security scheme that do not affect the wire. */
const schemesChanged = (base: ApiDocument, revision: ApiDocument): Found[] =>
  Object.keys(base.securitySchemes)
    .filter((name) => name in revision.securitySchemes)
    .flatMap((name) => {
      const [before, after] = [base, revision].map(({ securitySchemes }) => securitySchemes[name]);
      const isSent = wireOf(before, name) !== wireOf(after, name);
      const [old, changed] = [before, after].map((scheme) => settings(scheme, isSent));
      if (isSame(old, changed)) return [];
      const occurrences = revision.operations
        .filter(({ security }) => security.alternatives.flat().some(({ scheme }) => scheme === name))
        .map((operation) => requestOf(operation, "credentials"));
      const change = { rule: "securityScheme", action: "changed", subject: name, old, new: changed } as const;
      return [foundAs(change, `security scheme ${name}`, occurrences)];
    });

const requestOf = (operation: ApiOperation, place: string): Occurrence => ({
  old: undefined,
  new: operation,
  message: { sender: sendersOf(operation).request, place },
});

const ON_THE_WIRE: ReadonlySet<string> = new Set(["type", "in", "name", "scheme"]);

/** @param isSent whether the schemes differ on the wire, which is a change of the credentials */
const settings = (given: Json | undefined, isSent: boolean): unknown => {
  const scheme = withoutDocumentation(given);
  return isObject(scheme) && isSent
    ? Object.fromEntries(Object.entries(scheme).filter(([key]) => !ON_THE_WIRE.has(key)))
    : scheme;
};

/** Finds a version that goes down, because the documents may be exchanged, and another dialect of all schemas. */
const documentChanged = (base: ApiDocument, revision: ApiDocument): Found[] => {
  const isLower = base.version.localeCompare(revision.version, "en", { numeric: true }) > 0;
  const version = { old: base.version, new: revision.version, note: "it goes down" };
  const [dialect, other] = [base, revision].map(({ root }) => otherDialect(root.jsonSchemaDialect));
  const reached = revision.operations.map((operation) => requestOf(operation, "body"));
  const owner = "the document";
  return [
    ...(isLower ? [foundAs({ rule: "version", action: "changed", ...version }, owner)] : []),
    ...(isSame(dialect, other)
      ? []
      : [
          foundAs(
            { rule: "dialect", action: actionOf(dialect, other), old: dialect, new: other },
            owner,
            reached,
          ),
        ]),
  ];
};

const identityOf = ({ change, owner, part, pointer }: Found): string => {
  const { rule, action, old: base, new: revision, subject } = change;
  return canonical([rule, action, owner, part, pointer, base ?? null, revision ?? null, subject ?? null]);
};

const merged = (one: Found, other: Found): Found => ({
  ...one,
  change: { ...one.change, effect: anyOf([one.change.effect, other.change.effect]) },
  occurrences: [...one.occurrences, ...other.occurrences],
});

const judged = (judges: Both<Judge>, found: Found): Entry => {
  const { change, owner, part, pointer, occurrences } = found;
  const senders = [...new Set(occurrences.map(({ message }) => message.sender))];
  const effects = senders.map((sender) => judgedFor(judges, found, sender));
  const { rule, action, subject, note } = change;
  return {
    fingerprint: `d-${digitsOf(identityOf(found))}`,
    class: ORDER.find((one) => effects.some((effect) => effect.class === one)) ?? "compatible",
    rule,
    place: ruleOf(rule).place,
    action,
    owner,
    part,
    pointer,
    ...defined({ subject, note, old: change.old, new: change.new }),
    effect: change.effect,
    judged: effects,
  };
};

/** Why a search ended without a witness. */
const UNSHOWN = {
  "not found": "no message was found that shows the change",
  hidden: "another alternative allows each message that was found with the change",
} as const;

const judgedFor = (judges: Both<Judge>, found: Found, sender: Sender): Judged => {
  const { change, occurrences } = found;
  const own = occurrences.filter(({ message }) => message.sender === sender);
  const reach = own.map(({ old: base, new: revision, message }): Reach => {
    const operation = revision ?? base;
    return {
      operation: operation?.label ?? "",
      operationId: operation?.operationId ?? null,
      message: message.status === undefined ? "request" : `response ${message.status}`,
    };
  });
  const common = { sender, reach: unique(reach) };
  if (change.isAnnounced) return { ...common, class: "compatible" };
  const outcome = searchWitness(judges, found, sender);
  if (typeof outcome !== "string") return { ...common, class: "breaking", witness: outcome };
  const open = openReason(change.rule, change.action, sender);
  const reason = outcome === "none" ? open : (open ?? UNSHOWN[outcome]);
  return reason === undefined
    ? { ...common, class: "compatible" }
    : { ...common, class: "undecided", reason };
};

const unique = (reach: readonly Reach[]): Reach[] => [
  ...new Map(reach.map((one) => [`${one.operation} ${one.message}`, one])).values(),
];
