/** Without permission, a run writes to nothing that it did not create. A server logs what each write was about. */
import { writeFile } from "node:fs/promises";
import http from "node:http";
import { expect, test } from "@playwright/test";
import { certify, run } from "../../../tests/self/support/command.ts";
import { closeAll, listen } from "../../../tests/self/support/loopback.ts";

test.afterEach(closeAll);

/** Forms of paths with their methods. An `act` is a `post` without a body, whose answer shows nothing. */
const FORMS = `
  /items get post put patch delete; /items/{itemId} get post put patch delete; /items/{itemId}/avatar get put delete
  /items/{itemId}/settings patch; /items/{itemId}/publish act; /items/{itemId}/notes get post delete
  /items/{itemId}/notes/{noteId} get put patch delete; /users get; /users/{userId} get put patch delete
  /users/{userId}/avatar put delete; /users/{userId}/block act; /users/{userId}/keys get post delete
  /users/{userId}/keys/{keyId} get put delete; /labels/{label} get put delete; /labels/{label}/colour put delete
  /aisles/{aisle}/boxes/{box} get put delete; /floors/{floor}/rooms/{room} get put delete
  /flags/{flag} put delete; /settings get put patch delete; /config patch; /cache delete; /cache/flush act
  /logs?before={time} delete; /search post; /feedback post`;
const ROWS = FORMS.split(/;|\n/).flatMap((text) => {
  const [form = "", ...kinds] = text.trim().split(" ");
  const [path = "", query] = form.split("?");
  return kinds.map((kind) => ({ path, kind, query, method: kind === "act" ? "post" : kind }));
});
const WRITES = ROWS.filter(({ kind }) => kind !== "get").map((one) => `${one.method} ${one.path}`);

const hasMembers = (path: string): boolean => ROWS.some((one) => one.path.startsWith(`${path}/{`));
const bodyOf = (schema: object) => ({ content: { "application/json": { schema } } });
const TEXT = { type: "string" };
const SHOWN = { type: "object", properties: { id: TEXT } };
const SCHEMAS: Record<string, object> = { flag: { enum: ["dark", "light"] }, floor: { type: "integer" } };
const NAMED = { type: "object", required: ["name"], properties: { name: TEXT } };

const operationOf = ({ path, kind, query }: (typeof ROWS)[number]) => {
  const answer = bodyOf(kind === "get" && hasMembers(path) ? { type: "array", items: SHOWN } : SHOWN);
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true },
    schema: SCHEMAS[name ?? ""] ?? TEXT,
  }));
  const success = { description: "Done.", ...(!/act|delete/.test(kind) && answer) };
  return {
    parameters: query ? [{ name: "before", in: "query", required: true, schema: TEXT }] : named,
    responses: {
      [kind === "post" && (hasMembers(path) || path === "/feedback") ? 201 : 200]: success,
      ...(kind === "put" && path.endsWith("}") && { 201: success }),
      404: { description: "No." },
    },
    ...(/post|put|patch/.test(kind) && { requestBody: { required: true, ...bodyOf(NAMED) } }),
  };
};

const PATHS: Record<string, Record<string, object>> = {};
for (const row of ROWS) PATHS[row.path] = { ...PATHS[row.path], [row.method]: operationOf(row) };

/** A write: the path up to its last identifier, and whether it is a PUT to what a read did not find. */
type Write = Record<"form" | "about", string> & Record<"isOwn" | "isFree", boolean>;

const OTHERS = "/items/i1 /items/i1/notes/n1 /users/u1 /users/u2 /users/u2/keys/k1 /labels/blue".split(" ");

/** Starts a server that knows the resources of others. */
const shop = async (crashesAt?: string) => {
  const [known, own, missing] = [new Set(OTHERS), new Set<string>(), new Set<string>()];
  const writes: Write[] = [];
  const server = http.createServer(({ method = "", url = "" }, response) => {
    const [path = ""] = url.split("?");
    const answer = (status: number, body?: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const found = Object.keys(PATHS).find((one) =>
      new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    if (found === undefined) return answer(404);
    const ended = found.split("/").findLastIndex((part) => part.startsWith("{") && part !== "{flag}") + 1;
    const about = path.split("/").slice(0, ended).join("/");
    const isFree = method === "PUT" && about === path && missing.has(path) && !/^.floors.\d/.test(path);
    if (method !== "GET")
      writes.push({ form: `${method.toLowerCase()} ${found}`, about, isOwn: own.has(about), isFree });
    if (`${method} ${path}` === crashesAt) return server.close().closeAllConnections();
    const isMissing = about !== "" && !known.has(about);
    if (isMissing && method === "GET") missing.add(path);
    if (isMissing && !(method === "PUT" && about === path)) return answer(404);
    if (method === "DELETE" && about === path) known.delete(path);
    const id = `made-${known.size}-${Math.random().toString(36).slice(2)}`;
    const isCreation = method === "POST" && hasMembers(found);
    if (isCreation || isMissing) for (const set of [known, own]) set.add(isMissing ? path : `${path}/${id}`);
    const members = [...known].filter((one) => one.slice(0, one.lastIndexOf("/")) === path);
    const listed = members.map((one) => ({ id: one.slice(path.length + 1) }));
    return answer(
      isCreation || isMissing ? 201 : 200,
      method === "GET" && hasMembers(found) ? listed : { id },
    );
  });
  const document = test.info().outputPath("shop.json");
  const head = { openapi: "3.1.0", info: { title: "Shop", version: "1.0.0" } };
  await writeFile(document, JSON.stringify({ ...head, paths: PATHS }));
  const isGone = (one: string) =>
    [...own].some((other) => `${one}/`.startsWith(`${other}/`) && !known.has(other));
  const left = () => [...own].filter((one) => !isGone(one));
  return { writes, left, args: ["--document", document, "--url", await listen(server), "--depth", "quick"] };
};

const ALLOWED = { ALLOW_DESTRUCTIVE: "true" };
const IDS = ["--id", "user=u2", "--id", "label=blue"];

for (const ids of [[], IDS])
  test(`without permission, a run changes only what it created: ${ids.join(" ") || "no ids"}`, async () => {
    const { args, writes, left } = await shop();
    await certify([...args, ...ids]);
    expect(left()).toEqual([]);
    const given = ids.length > 0 ? ["/users/u2", "/labels/blue"] : [];
    const isHarmless = ({ form, about, isOwn, isFree }: Write): boolean => {
      if (about === "") return /^post \/(items|search|feedback)$/.test(form);
      return isOwn || isFree || (given.includes(about) && /^(put|patch) .*\}$/.test(form));
    };
    expect(writes.filter((one) => !isHarmless(one))).toEqual([]);
    const sent = ["post /items", "patch /items/{itemId}", "put /items/{itemId}/avatar", "post /search"];
    const atIds = given.length > 0 ? ["patch /users/{userId}", "put /labels/{label}"] : [];
    expect(writes.map(({ form }) => form)).toEqual(expect.arrayContaining([...sent, ...atIds]));
  });

test("with the permission, a run tries all but to delete what --id names; the plan counts the same", async () => {
  const { args, writes } = await shop();
  const { stdout } = await run("certify", [...args, ...IDS, "--plan"]);
  await certify([...args, ...IDS, "--id", "floor=3"], ALLOWED);
  expect(WRITES.length).toBeGreaterThan(30);
  expect(WRITES.filter((one) => !writes.some(({ form }) => form === one))).toEqual([]);
  const kept = OTHERS.filter((one) => /u2|blue/.test(one));
  expect(writes.filter((one) => one.form.startsWith("delete ") && kept.includes(one.about))).toEqual([]);
  expect(stdout).toMatch(/^Destructive calls +about \d+, of \d+ operations; none are sent: ALLOW_DESTRU/m);
  const refused = [...stdout.matchAll(/^ {2}(\S+) .*destructive: not sent$/gm)].map(([, name]) => name);
  expect(stdout).toMatch(/^Left for good +about \d+ postFeedback results: no operation removes them/m);
  for (const name of ["patchSettings", "deleteItems", "postCacheFlush"]) expect(refused).toContain(name);
  expect(refused.filter((name = "") => /^(postItems|putItemsItemId|putLabelsLabel)$/.test(name))).toEqual([]);
});

test("the reasons of a run whose target goes away name the last call", async () => {
  const { args } = await shop("PATCH /config");
  const { stdout } = await certify([...args, "--operation", "patchConfig,getItems"], ALLOWED);
  expect(stdout).toContain("after the last call, PATCH /config (patchConfig), http://");
});
