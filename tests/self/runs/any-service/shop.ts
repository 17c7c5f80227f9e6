/** A server of `shop.yaml` that knows nothing of the product. Its products are unique, and its orders name them. */
import { web } from "../../support/loopback.ts";

const SKU = /^[A-Z]{2}-[0-9]{2}$/;
const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true;

interface Body {
  readonly sku?: unknown;
  readonly lines?: readonly { readonly sku?: unknown }[];
  readonly ship_by?: unknown;
}

interface Answer {
  readonly status: number;
  readonly json?: unknown;
}

const shown = (json: unknown, status = 200): Answer =>
  json === undefined ? { status: 404 } : { status, json };

const isOrder = ({ lines, ship_by: day }: Body): boolean =>
  Array.isArray(lines) &&
  lines.length >= 1 &&
  lines.length <= 3 &&
  lines.every((line) => typeof line?.sku === "string") &&
  typeof day === "string" &&
  isDay(day);

/** Starts the server. */
export const shop = (): Promise<string> => {
  const products = new Map<string, Body>();
  const orders = new Map<string, Body>();
  const order = (body: Body): Answer => {
    if (!isOrder(body)) return { status: 400 };
    const isKnown = body.lines?.every(({ sku }) => products.has(String(sku)));
    if (!isKnown || Date.parse(String(body.ship_by)) < Date.now()) return { status: 422 };
    const id = `o-${orders.size + 1}`;
    orders.set(id, { ...body, id } as Body);
    return shown(orders.get(id), 201);
  };
  const answer = (at: string, body: Body): Answer => {
    const [, kind = "", id = ""] = /^\w+ \/(\w+)\/(.+)$/.exec(at) ?? [];
    if (at.startsWith("GET ")) return shown((kind === "orders" ? orders : products).get(id));
    if (at === "POST /orders") return order(body);
    if (typeof body.sku !== "string" || !SKU.test(body.sku)) return { status: 400 };
    if (at === "POST /products" && products.has(body.sku)) return { status: 409 };
    if (at !== "POST /products" && !products.has(id)) return { status: 404 };
    // The identifier in the path can't be changed.
    if (at !== "POST /products" && body.sku !== id) return { status: 400 };
    products.set(body.sku, body);
    return shown(body, at === "POST /products" ? 201 : 200);
  };
  return web(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    let body: unknown;
    try {
      body = JSON.parse(text || "{}");
    } catch {
      body = undefined;
    }
    const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
    const { status, json } = answer(`${request.method} ${request.url}`, isObject ? (body as Body) : {});
    response.writeHead(status, { "content-type": "application/json" });
    response.end(json === undefined ? "" : JSON.stringify(json));
  });
};
