/** Right and wrong servers of `drafts.yaml`: the states that entity tags tell apart. */
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { isInSample, LONG } from "../../../tests/self/support/lanes.ts";
import { type Answer, type Asked, api, closeAll } from "../../../tests/self/support/loopback.ts";
import { certifyDocument, FREE } from "./support/certified-document.ts";

const DOCUMENT = fileURLToPath(new URL("./documents/drafts.yaml", import.meta.url));

test.afterEach(closeAll);

interface Draft {
  readonly id: string;
  readonly version: number;
  readonly text: Readonly<Record<string, unknown>>;
}

/** How a server compares states. */
interface Manner {
  tagOf(draft: Draft): string | undefined;
  /** Whether a read with the tag has no content. */
  isKnown?(sent: string, tag: string | undefined): boolean;
  /** Whether a change with the tag is accepted. */
  isPresent?(sent: string, tag: string | undefined): boolean;
}

const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === "string" && [...value].length >= least && [...value].length <= most;

const textIn = ({ title, text }: Asked["fields"]): Draft["text"] | undefined => {
  if (!isText(title, 1, 30) || !(text === undefined || isText(text, 0, 90))) return undefined;
  return text === undefined ? { title } : { title, text };
};

const server = ({ tagOf, isKnown = (a, b) => a === b, isPresent = (a, b) => a === b }: Manner) => {
  const known = new Map<string, Draft>();
  let started = 0;
  const shown = (status: number, draft: Draft): Answer => {
    const tag = tagOf(draft);
    const headers = tag === undefined ? {} : { etag: tag };
    return status === 304 ? { status, headers } : { status, headers, json: { ...draft.text, id: draft.id } };
  };
  return api(({ method, path, headers, fields }) => {
    const text = textIn(fields);
    const [, , id = ""] = path.split("/");
    const draft = known.get(id);
    if (method === "POST") {
      if (text === undefined) return 400;
      // An identifier is never given again, also not after its draft was dropped.
      const made = { id: `d-${++started * 37 + 101}`, version: 1, text };
      known.set(made.id, made);
      return shown(201, made);
    }
    if (draft === undefined) return 404;
    const tag = tagOf(draft);
    const { "if-none-match": other, "if-match": same } = headers;
    if (method === "GET") return shown(other !== undefined && isKnown(other, tag) ? 304 : 200, draft);
    if (method === "PUT" && (same === undefined || same === "" || text === undefined)) return 400;
    if (same !== undefined && same !== "*" && !isPresent(same, tag)) return 412;
    if (text === undefined) {
      known.delete(id);
      return 204;
    }
    const next = { id, version: draft.version + 1, text };
    known.set(id, next);
    return shown(200, next);
  });
};

const strong = ({ id, version }: Draft): string => `"${id}-${version}"`;

const ROWS: readonly (readonly [what: string, manner: Manner, deviating: readonly string[]])[] = [
  ["has strong tags", { tagOf: strong }, []],
  [
    "has weak tags, which fulfil no condition of a change",
    { tagOf: (draft) => `W/${strong(draft)}`, isPresent: () => false },
    [],
  ],
  ["has no tags", { tagOf: () => undefined, isKnown: () => false, isPresent: () => false }, []],
  ["always answers with the content", { tagOf: strong, isKnown: () => false }, []],
  [
    "has tags of the time of the answer",
    { tagOf: () => `"${process.hrtime.bigint()}"`, isPresent: () => false },
    [],
  ],
  ["answers 304 to each condition", { tagOf: strong, isKnown: () => true }, ["readDraft.not-modified"]],
  ["keeps a tag after a change", { tagOf: ({ id }) => `"${id}"` }, ["readDraft.not-modified"]],
  [
    "refuses the present tag",
    { tagOf: strong, isPresent: () => false },
    ["dropDraft.current-condition", "writeDraft.current-condition"],
  ],
];

for (const [index, [what, manner, deviating]] of ROWS.entries()) {
  const words = deviating.length === 0 ? "deviates from nothing" : `deviates from ${deviating.join()}`;
  test(`a server that ${what} ${words}`, isInSample(index, 4) ? {} : LONG, async () => {
    const told = await certifyDocument(DOCUMENT, await server(manner), [], FREE);
    expect(told.deviating).toEqual(deviating.map((id) => `advisory drafts.${id}`));
  });
}
