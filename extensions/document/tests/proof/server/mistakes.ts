/** The ways in which a server of a document can be wrong. */
import type { Random } from "../random.ts";
import { isObject, type Json } from "./files.ts";
import { answerWith, type Operation, type Parameter } from "./reading.ts";
import { type Draft, type Mistake, type Resource, successesOf } from "./server.ts";
import { isWritten } from "./styles.ts";
import { validatorOf } from "./values.ts";
import { type Witnesses, weakened, witness } from "./witness.ts";

export interface Subject extends Witnesses {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
  readonly random: Random;
}

/** A mistake that is made when it is chosen; `undefined` if it would change nothing. */
type Candidate = readonly [kind: string, make: () => Mistake | undefined];

/** Returns so many mistakes, each of another kind if possible. */
export const chooseMistakes = (subject: Subject, count: number): Mistake[] => {
  const { random } = subject;
  const byKind = new Map<string, Candidate[1][]>();
  for (const operation of subject.operations)
    for (const [kind, make] of candidatesOf(subject, operation))
      byKind.set(kind, [...(byKind.get(kind) ?? []), make]);
  const kinds = random.shuffled([...byKind.values()].map((candidates) => random.shuffled(candidates)));
  const chosen: Mistake[] = [];
  for (let turn = 0; chosen.length < count && kinds.some((one) => one.length > 0); turn += 1) {
    const mistake = kinds[turn % kinds.length]?.pop()?.();
    if (mistake !== undefined) chosen.push(mistake);
  }
  return chosen;
};

const candidatesOf = (subject: Subject, operation: Operation): Candidate[] => [
  ...acceptances(subject, operation),
  ...answers(subject, operation),
  ...otherAnswers(subject, operation),
  ...omissions(subject, operation),
];

/** Matches the ids of requirements about a place in a body, or about the whole body. */
const placeIn = (direction: "request" | "response", where: string, keyword: string): RegExp => {
  const names = [...where.matchAll(/\/properties\/([^/]+)/g)].map(([, name = ""]) => name);
  const [, missing] = /^required (.*)$/.exec(keyword) ?? [];
  if (keyword === "discriminator") return new RegExp(`^${direction}\\.(.+\\.)?discriminator$`);
  const last = missing ?? names.at(-1);
  return new RegExp(`^${direction}\\.(body|shape${last === undefined ? "" : `|(.+\\.)?${last}\\..+`})$`);
};

/** The server accepts what one keyword forbids. */
const acceptances = (subject: Subject, operation: Operation): Candidate[] => {
  const isIdentifier = ({ in: place }: Parameter): boolean =>
    place === "path" && subject.resources.some(({ item }) => `${operation.path}/`.startsWith(`${item}/`));
  const any = (): boolean => true;
  const places = [
    ...Object.entries(operation.body?.content ?? {}).map(([type, { schema }]) => {
      const canBe = (value: unknown): boolean => isObject(schema) && isWritten(schema, value);
      return { place: `body ${type}`, schema, canBe: /json/.test(type) ? any : canBe };
    }),
    ...operation.parameters
      // An identifier that its schema forbids is refused as unknown.
      .filter((one) => !isIdentifier(one))
      .map((one) => ({
        place: `${one.in} ${one.name}`,
        schema: one.schema,
        canBe: one.isJson ? any : (value: unknown): boolean => isWritten(one.schema, value),
      })),
  ];
  return places.flatMap(({ place, schema, canBe }) =>
    (schema === undefined ? [] : weakened(schema)).map(({ where, keyword, weak }): Candidate => {
      const [part = "", name = ""] = place.split(" ");
      const isBody = part === "body";
      const kind = `accepts ${isBody ? "body" : "parameter"} ${keyword.split(" ")[0]}`;
      const mistake = (): Mistake => ({
        name: `${operation.id} accepts ${place}${where} without ${keyword}`,
        operation: operation.id,
        stated: isBody ? placeIn("request", where, keyword) : new RegExp(`^parameter\\.${name}\\.`),
        accepts: { [place]: weak },
      });
      return [
        kind,
        () => (witness(subject, schema as Json, weak, canBe) === undefined ? undefined : mistake()),
      ];
    }),
  );
};

/** Every valid call gets an answer that one keyword forbids. */
const answers = (subject: Subject, operation: Operation): Candidate[] => {
  const [status = 200] = successesOf(operation);
  const [[type, { schema }] = ["", { schema: undefined }]] = Object.entries(
    answerWith(operation, status)?.content ?? {},
  );
  if (schema === undefined || !/json|\*/.test(type)) return [];
  return weakened(schema).map(({ where, keyword, weak }): Candidate => {
    const make = (): Mistake | undefined => {
      const found = witness(subject, schema, weak);
      return (
        found && {
          name: `${operation.id} answers ${status}${where} without ${keyword}`,
          operation: operation.id,
          stated: placeIn("response", where, keyword),
          answer: (draft: Draft) => {
            draft.status = status;
            draft.type = type.includes("*") ? "application/json" : type;
            draft.body = found.value;
          },
        }
      );
    };
    return [`answers ${keyword.split(" ")[0]}`, make];
  });
};

const row = (
  { id }: Operation,
  kind: string,
  stated: RegExp,
  mistake: Omit<Mistake, "name" | "operation" | "stated">,
  detail = "",
): Candidate => [kind, () => ({ name: `${id} ${kind} ${detail}`.trim(), operation: id, stated, ...mistake })];

/** The status, the media type, a header or the resource of the answer is wrong. */
const otherAnswers = ({ resources, random }: Subject, operation: Operation): Candidate[] => {
  const [status = 200] = successesOf(operation);
  const documented = answerWith(operation, status);
  const types = Object.keys(documented?.content ?? {});
  const others = [201, 203, 206, 418, 409, 500].filter((one) => answerWith(operation, one) === undefined);
  const accepted = others.filter((one) => one < 300);
  const undocumented = random.one(accepted.length > 0 ? accepted : [...others, 0]);
  const collection = resources.find(
    (one) => one.collection === operation.path && operation.method === "POST",
  );
  const required = (documented?.headers ?? []).filter((one) => one.required);
  const about =
    ({ field }: Resource, id: unknown) =>
    (draft: Draft) => {
      if (isObject(draft.body) && field in draft.body)
        draft.body = { ...draft.body, [field]: typeof draft.body[field] === "number" ? 77 : id };
    };
  const ANOTHER = "00000000-0000-4000-8000-000000000077";
  return [
    ...(undocumented === 0
      ? []
      : [
          row(operation, "answers an undocumented status", /^documented-statuses$/, {
            answer: (draft) => {
              draft.status = undocumented;
            },
          }),
        ]),
    ...(types.length === 0 || types.includes("*/*")
      ? []
      : [
          row(operation, "answers another media type", /^(success|response\.(body|media-type))$/, {
            answer: (draft) => {
              draft.status = status;
              draft.type = "text/html";
              draft.body = "<p>done</p>";
            },
          }),
        ]),
    ...required.flatMap(({ name, schema }) => {
      const spoilt = (kind: string, answer: (draft: Draft) => void) =>
        row(operation, kind, /^(success|response\.header.*)$/i, { answer }, name);
      const wrong = spoilt("answers a wrong header", ({ headers }) => {
        if (name in headers) headers[name] = "-";
      });
      const lacking = spoilt("lacks a header", ({ headers }) => void delete headers[name]);
      return validatorOf(schema)("-") ? [lacking] : [lacking, wrong];
    }),
    ...(collection === undefined
      ? []
      : [
          row(operation, "repeats an identifier", /^(distinct-ids|success)$/, {
            answer: about(collection, ANOTHER),
          }),
        ]),
  ];
};

/** Returns the mistakes of a server that leaves out a check, except for the checks of schemas. */
const omissions = ({ resources }: Subject, operation: Operation): Candidate[] => {
  const { security, parameters, body, path } = operation;
  const isClosed = security.length > 0 && security.every((one) => one.length > 0);
  return [
    ...(isClosed
      ? [row(operation, "needs no credentials", /^(unauthenticated|success)$/, { skips: "credentials" })]
      : []),
    ...parameters
      .filter((one) => one.required && one.in !== "path")
      .map(({ name, in: place }) =>
        row(
          operation,
          "needs no parameter",
          new RegExp(`^(success|parameter\\.${name}\\.required)$`),
          { skips: "required", parameter: `${place} ${name}` },
          name,
        ),
      ),
    ...(body?.required && operation.answers.some(({ key }) => key === "415")
      ? [row(operation, "reads any media type", /^(success|request\.media-type)$/, { skips: "media type" })]
      : []),
    ...(body?.required
      ? [
          row(operation, "needs no body", /^(success|request\.body)$/, {
            skips: "required",
            parameter: "body",
          }),
        ]
      : []),
    ...resources
      .filter(({ item }) => path === item || path.startsWith(`${item}/`))
      .map(({ parameter }) =>
        row(
          operation,
          "knows each identifier",
          new RegExp(`^(success|unknown-${parameter})$`),
          { skips: "identifier", parameter },
          parameter,
        ),
      ),
  ];
};
