/** Reads JSON as it was written, so that a long number or a name that comes twice is shown as it was sent. */

export type JsonSource =
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly JsonSource[] }
  | { readonly kind: "object"; readonly members: readonly JsonMember[] };

export interface JsonMember {
  /** As written, with its quotes. */
  readonly label: string;
  readonly name: string;
  readonly value: JsonSource;
}

/** @returns `undefined` for what is no JSON */
export const readJsonSource = (text: string): JsonSource | undefined => {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return readValue(tokens.values());
};

/** The text is known to be JSON, so that every token is the one that has to come. */
const readValue = (tokens: Iterator<string, unknown>): JsonSource => {
  const first = nextOf(tokens);
  if (first === "{") return { kind: "object", members: [...membersOf(tokens)] };
  if (first === "[") return { kind: "list", items: [...itemsOf(tokens)] };
  return { kind: "scalar", text: first };
};

function* membersOf(tokens: Iterator<string, unknown>): Generator<JsonMember> {
  for (let token = nextOf(tokens); token !== "}"; token = nextOf(tokens)) {
    if (token === ",") continue;
    nextOf(tokens);
    yield { label: token, name: JSON.parse(token) as string, value: readValue(tokens) };
  }
}

function* itemsOf(tokens: Iterator<string, unknown>): Generator<JsonSource> {
  for (let token = nextOf(tokens); token !== "]"; token = nextOf(tokens)) {
    if (token !== ",") yield readValue(startingWith(token, tokens));
  }
}

const startingWith = (token: string, tokens: Iterator<string, unknown>): Iterator<string, unknown> => {
  let waiting: string | undefined = token;
  return {
    next: () => {
      const value = waiting ?? nextOf(tokens);
      waiting = undefined;
      return { value, done: false };
    },
  };
};

const nextOf = (tokens: Iterator<string, unknown>): string => String(tokens.next().value);
