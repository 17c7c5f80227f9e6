/** A server of `shop.yaml` that knows nothing of the product. Its products are unique, and its orders name them. */
import { type Answer, api } from "../../../../tests/self/support/loopback.ts";

const SKU = /^[A-Z]{2}-[0-9]{2}$/;
const KINDS: readonly unknown[] = ["tool", "toy", "book"];
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

interface Body {
  readonly sku?: unknown;
  readonly name?: unknown;
  readonly kind?: unknown;
  readonly lines?: readonly { readonly sku?: unknown }[];
  readonly ship_by?: unknown;
  readonly [name: string]: unknown;
}

/** What the server does otherwise where the document says nothing: late answers, marks instead of deletions, other forms. */
export const MANNERS = ["marks-deleted", "upper-case", "accepts-later", "removes-later"] as const;

const shown = (json: unknown, status = 200): Answer =>
  json === undefined ? { status: 404 } : { status, json };

const isOrder = ({ lines, ship_by: day }: Body): boolean =>
  Array.isArray(lines) &&
  lines.length >= 1 &&
  lines.length <= 3 &&
  lines.every((line) => typeof line?.sku === "string") &&
  typeof day === "string" &&
  isDay(day);

const isText = (value: unknown, least: number, most: number): boolean =>
  value === undefined ||
  (typeof value === "string" && [...value].length >= least && [...value].length <= most);

const hasTexts = ({ name, note, shelf }: Body): boolean =>
  isText(name, 1, 20) && isText(note, 0, 30) && isText(shelf, 0, 10);

const isProduct = (body: Body): boolean =>
  typeof body.sku === "string" &&
  SKU.test(body.sku) &&
  body.name !== undefined &&
  KINDS.includes(body.kind) &&
  hasTexts(body);

const CHANGED = ["name", "note", "shelf"];

const isChange = (body: Body): boolean =>
  Object.keys(body).length > 0 && CHANGED.some((name) => body[name] !== undefined) && hasTexts(body);

const isQuery = (query: URLSearchParams): boolean => {
  const [limit, kind, name, sort] = ["limit", "kind", "name", "sort"].map(
    (one) => query.get(one) ?? undefined,
  );
  return (
    (limit === undefined || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 50)) &&
    (kind === undefined || KINDS.includes(kind)) &&
    isText(name, 0, 20) &&
    (sort === undefined || /^-?name$/.test(sort))
  );
};

const listOf = (all: readonly Body[], query: URLSearchParams): Answer => {
  if (!isQuery(query)) return { status: 400 };
  const [kind, name = "", sort] = ["kind", "name", "sort"].map((one) => query.get(one) ?? undefined);
  const found = all.filter(
    (one) =>
      (kind === undefined || one.kind === kind) &&
      String(one.name).toLowerCase().includes(name.toLowerCase()),
  );
  const sorted = found.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  const ordered = sort === undefined ? found : sort === "name" ? sorted : sorted.toReversed();
  return shown({ items: ordered.slice(0, Number(query.get("limit") ?? 50)) });
};

/** Starts the server. */
export const shop = (manner?: (typeof MANNERS)[number]): Promise<string> => {
  const products = new Map<string, Body>();
  const orders = new Map<string, Body>();
  const formed = (body: Body): Body =>
    manner === "upper-case" ? { ...body, name: String(body.name).toUpperCase() } : body;
  const order = (body: Body): Answer => {
    if (!isOrder(body)) return { status: 400 };
    const isKnown = body.lines?.every(({ sku }) => products.has(String(sku)));
    if (!isKnown || Date.parse(String(body.ship_by)) < Date.now()) return { status: 422 };
    const id = `o-${orders.size + 1}`;
    orders.set(id, { ...body, id });
    return shown(orders.get(id), 201);
  };
  const remove = (id: string, product: Body): Answer => {
    if (manner === "marks-deleted") products.set(id, { ...product, deleted: true });
    else if (manner === "removes-later") setTimeout(() => products.delete(id), 1500);
    else products.delete(id);
    return { status: 204 };
  };
  const change = (method: string, id: string, body: Body): Answer => {
    const known = products.get(id);
    if (known === undefined) return { status: 404 };
    if (method === "DELETE") return remove(id, known);
    // The identifier in the path can't be changed.
    const isRight = method === "PUT" ? isProduct(body) && body.sku === id : isChange(body);
    if (!isRight) return { status: 400 };
    if (manner === "accepts-later") return { status: 202 };
    products.set(id, formed({ ...(method === "PATCH" && known), ...body }));
    return shown(products.get(id));
  };
  const answer = (method: string, path: string, query: URLSearchParams, body: Body): Answer => {
    const [, kind = "", id] = path.split("/");
    if (method === "GET" && id !== undefined) return shown((kind === "orders" ? orders : products).get(id));
    if (method === "GET" && kind === "products") return listOf([...products.values()], query);
    if (method === "GET") return { status: 404 };
    if (id !== undefined) return change(method, id, body);
    if (kind === "orders") return order(body);
    if (!isProduct(body)) return { status: 400 };
    if (products.has(String(body.sku))) return { status: 409 };
    products.set(String(body.sku), formed(body));
    return shown(products.get(String(body.sku)), 201);
  };
  return api(({ method, path, query, fields }) => answer(method, path, query, fields));
};
