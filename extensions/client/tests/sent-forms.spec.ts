/** Clients that send forms in several styles, judged by the traffic judge and by the sandbox, which share no code for it. */
import { expect, test } from "@playwright/test";
import type { Contract } from "../../../helpers/contract/contract.ts";
import type { Seen } from "../../../helpers/traffic/seen.ts";
import { onDocument } from "../../../tests/self/support/document.ts";
import { judgeByRules } from "../judging/contract-rules.ts";

const DOCUMENT = `
openapi: 3.1.0
info: { title: Albums, version: 1.0.0 }
paths:
  /photos:
    post:
      operationId: postPhoto
      requestBody:
        required: true
        content:
          multipart/form-data:
            encoding: { photo: { contentType: "image/png, image/webp" } }
            schema:
              type: object
              required: [photo, about, title]
              additionalProperties: { type: string }
              properties:
                photo: { type: string, format: binary, maxLength: 20 }
                about: { type: object, required: [owner], properties: { owner: { type: string, maxLength: 4 } } }
                title: { type: string, minLength: 1, maxLength: 5 }
                size: { type: string, enum: [small, large] }
                code: { type: string, pattern: "^[A-Z]+$" }
                taken: { type: string, format: date }
                copies: { type: integer, maximum: 9 }
                tags: { type: array, maxItems: 2, items: { type: string, maxLength: 3 } }
                extra: {}
      responses: { "204": { description: Kept. }, "400": { description: Wrong. } }
  /albums:
    post:
      operationId: postAlbum
      requestBody:
        required: true
        content:
          application/json: { schema: &album { type: object, required: [title], properties: { title: { type: string, maxLength: 5 } } } }
          application/vnd.album+json: { schema: *album }
          multipart/form-data: { schema: { allOf: [*album], additionalProperties: false, properties: { title: {} } } }
          application/x-www-form-urlencoded:
            schema: { type: object, required: [name], properties: { name: { type: string }, parts: { type: array, items: { type: object } } } }
      responses: { "204": { description: Kept. }, "400": { description: Wrong. } }
  /labels:
    post:
      operationId: postLabel
      requestBody: { content: { application/vnd.album+json: { schema: *album } } }
      responses: { "204": { description: Kept. }, "415": { description: Another type. } }
`;

type Body = readonly [type: string, bytes: Buffer];

/** Writes parts as curl and most libraries do. */
const written = (parts: readonly string[], boundary = "------------------------d74496d66958873e"): Body => [
  `multipart/form-data; boundary=${boundary}`,
  Buffer.from(
    `${parts.map((one) => `--${boundary}\r\nContent-Disposition: form-data; ${one}\r\n`).join("")}--${boundary}--\r\n`,
    "latin1",
  ),
];

const fetched = async (form: FormData | URLSearchParams): Promise<Body> => {
  const request = new Request("http://albums.test/", { method: "POST", body: form });
  return [request.headers.get("content-type") ?? "", Buffer.from(await request.arrayBuffer())];
};

const PNG = "\x89PNG\r\n\x1a\n\0\xff--x";
const PHOTO = `name="photo"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n${PNG}`;
const ABOUT = 'name="about"\r\nContent-Type: application/json\r\n\r\n{ "owner": "Jo" }';
const TITLE = 'name="title"\r\n\r\nSea';
const RIGHT = [PHOTO, ABOUT, TITLE];
const plus = (...more: readonly string[]): Body => written([...RIGHT, ...more]);
const text = (name: string, value: string): string => `name="${name}"\r\n\r\n${value}`;
const form = (values: Readonly<Record<string, string | Blob>>): Promise<Body> => {
  const photo = new Blob([Buffer.from(PNG, "latin1")], { type: "image/png" });
  const data = new FormData();
  for (const [name, value] of Object.entries({ photo, about: '{"owner":"Jo"}', title: "Sea", ...values }))
    data.append(name, value);
  return fetched(data);
};
const album = (type: string, body: string): Body => [type, Buffer.from(body)];
const JSON_TYPE = "application/json";
const FURTHER = "application/vnd.album+json";
const URLENCODED = "application/x-www-form-urlencoded";

/** What the client breaks, by the ids that convict it; `!` if only its judge sees it, because the sandbox is more tolerant. */
const ROWS: readonly (readonly [what: string, body: Body | Promise<Body>, ...broken: string[]])[] = [
  ["the right parts", written(RIGHT)],
  ["another order and an unknown part", written([TITLE, text("unknown", "1"), ABOUT, PHOTO])],
  ["a short boundary that is also in a file", written(RIGHT, "x")],
  ["names without quotation marks", written(RIGHT.map((one) => one.replace(/name="(\w+)"/, "name=$1")))],
  [
    "a boundary in quotation marks",
    written(RIGHT).map((one) => (typeof one === "string" ? one.replace(/=(.*)$/, '="$1"') : one)) as never,
  ],
  ["a quotation mark in the name of a file", written([PHOTO.replace("p.png", 'p\\"q.png'), ABOUT, TITLE])],
  ["an encoded mark in the name of a file", written([PHOTO.replace("p.png", "p%22q.png"), ABOUT, TITLE])],
  ["an empty file", written([PHOTO.replace(PNG, ""), ABOUT, TITLE])],
  ["a file without a name", written([PHOTO.replace('; filename="p.png"', ""), ABOUT, TITLE])],
  [
    "a text before the first part",
    (([type, bytes]) => [type, Buffer.concat([Buffer.from("\r\n"), bytes])])(written(RIGHT)) as Body,
  ],
  ["JSON without a media type", written([PHOTO, text("about", '{"owner":"Jo"}'), TITLE])],
  [
    "all values at their limits",
    plus(text("size", "small"), text("taken", "2026-02-28"), text("copies", "9"), text("code", "A")),
  ],
  ["a list of parts", plus(text("tags", "a"), text("tags", "bcd"))],
  ["a list in one part", plus(text("tags", '["a","b"]'))],
  ["a value of any kind", plus(text("extra", "{"))],
  ["an umlaut in UTF-8", written([PHOTO, ABOUT, text("title", Buffer.from("Süden").toString("latin1"))])],
  ["fetch", form({})],
  ["fetch with JSON as a blob", form({ about: new Blob(['{"owner":"Jo"}'], { type: JSON_TYPE }) })],
  ["fetch with an umlaut", form({ title: "Süden" })],
  ["no photo", written([ABOUT, TITLE]), "postPhoto.request.photo.required"],
  ["no title", written([PHOTO, ABOUT]), "postPhoto.request.title.required"],
  [
    "no parts",
    written([]),
    ...["photo", "about", "title"].map((name) => `postPhoto.request.${name}.required`),
  ],
  ["a long title", written([PHOTO, ABOUT, text("title", "Seaside")]), "postPhoto.request.title.max-length"],
  ["fetch with a long title", form({ title: "Süden!" }), "postPhoto.request.title.max-length"],
  ["an empty title", written([PHOTO, ABOUT, text("title", "")]), "postPhoto.request.title.min-length"],
  ["another size", plus(text("size", "medium")), "postPhoto.request.size.enum"],
  ["a code in lower case", plus(text("code", "ab")), "postPhoto.request.code.pattern"],
  ["a large photo", written([PHOTO + "x".repeat(20), ABOUT, TITLE]), "!postPhoto.request.fields"],
  ["no day", plus(text("taken", "2026-02-30")), "postPhoto.request.taken.format"],
  ["too many copies", plus(text("copies", "10")), "postPhoto.request.copies.maximum"],
  ["copies in words", plus(text("copies", "few")), "postPhoto.request.copies.type"],
  ["a long tag", plus(text("tags", "a"), text("tags", "long")), "postPhoto.request.tags.max-length"],
  [
    "too many tags",
    plus(...["a", "b", "c"].map((one) => text("tags", one))),
    "postPhoto.request.tags.max-items",
  ],
  [
    "JSON without an owner",
    written([PHOTO, text("about", "{}"), TITLE]),
    "postPhoto.request.about.owner.required",
  ],
  [
    "a text for JSON",
    written([PHOTO, text("about", "[object Object]"), TITLE]),
    "postPhoto.request.about.type",
  ],
  ["two titles", plus(text("title", "Sky")), "postPhoto.request.fields"],
  [
    "another media type of a part",
    written([PHOTO.replace("png\r", "gif\r"), ABOUT, TITLE]),
    "!postPhoto.request.fields",
  ],
  ["JSON beside forms", album(JSON_TYPE, '{"title":"Sea"}')],
  ["further JSON beside forms", album(FURTHER, '{"title":"Sea"}')],
  [
    "wrong further JSON beside forms",
    album(FURTHER, '{"title":"Seaside"}'),
    "postAlbum.request.title.max-length",
  ],
  ["parts beside JSON", written([TITLE])],
  ["a form beside JSON", album(URLENCODED, "name=Sea&parts=x")],
  ["wrong JSON beside forms", album(JSON_TYPE, '{"title":"Seaside"}'), "postAlbum.request.title.max-length"],
  ["no field in JSON", album(JSON_TYPE, '{"name":"Sea"}'), "postAlbum.request.title.required"],
  ["a wrong part beside JSON", written([text("title", "Seaside")]), "postAlbum.request.title.max-length"],
  ["an unknown part beside JSON", written([TITLE, text("unknown", "1")]), "!postAlbum.request.fields"],
  ["no part beside JSON", written([text("name", "Sea")]), "postAlbum.request.title.required"],
  ["no field of a form", album(URLENCODED, "title=Sea"), "postAlbum.request.name.required"],
];

const isAlbum = (what: string): boolean => / beside |^no field/.test(what);

const judging = (contract: Contract) => {
  const judge = judgeByRules(contract);
  /** Returns the ids that convict the client. */
  return (operationId: string, [type, bytes]: Body): string[] => {
    const operation = contract.operations.find((one) => one.operationId === operationId);
    const text = bytes.toString("utf8");
    const body: unknown = type.endsWith("json") ? JSON.parse(text) : undefined;
    const exchange = { request: { headers: { "content-type": type }, body: text } };
    const seen = { operation, body, path: {}, query: new URLSearchParams(), opened: {}, exchange };
    const broken = judge(seen as unknown as Seen).filter(({ result }) => !result.holds);
    return [...new Set(broken.map(({ requirement }) => requirement.slice("albums.".length)))].sort();
  };
};

const statusOf = async (url: string, [type, bytes]: Body): Promise<number> => {
  const body = Uint8Array.from(bytes);
  return (await fetch(url, { method: "POST", body, headers: { "content-type": type } })).status;
};

test("right and wrong clients are told apart by their judge and by the sandbox", async () => {
  await onDocument(test.info().outputPath("albums"), "albums", DOCUMENT, async (contract, baseUrl) => {
    const convicting = judging(contract);
    for (const [what, sent, ...broken] of ROWS) {
      const [path, operationId] = isAlbum(what) ? ["/albums", "postAlbum"] : ["/photos", "postPhoto"];
      const body = await sent;
      const told = broken.map((id) => id.replace("!", "")).sort();
      expect.soft(convicting(operationId, body), what).toEqual(told);
      const isRefused = broken.some((id) => !id.startsWith("!"));
      expect.soft(await statusOf(`${baseUrl}${path}`, body), what).toBe(isRefused ? 400 : 204);
    }
    for (const [type, status] of [
      [FURTHER, 204],
      [JSON_TYPE, 415],
    ] as const)
      expect(await statusOf(`${baseUrl}/labels`, album(type, '{"title":"Sea"}')), type).toBe(status);
    const [type, bytes] = written(RIGHT);
    for (const unread of [
      [type, bytes.subarray(0, -50)],
      [type, Buffer.from("photo=1&about=2")],
      ["multipart/form-data", bytes],
      [type.replace("form-data", "mixed"), bytes],
      plus(text("code", Buffer.from("‹SECRET›").toString("latin1"))),
      plus(text("code", "\uFFFD")),
    ] as const)
      expect.soft(convicting("postPhoto", unread), `not recorded whole: ${unread}`).toEqual([]);
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=other"])
      expect(await statusOf(`${baseUrl}/photos`, [type, bytes]), type).toBe(400);
  });
});
