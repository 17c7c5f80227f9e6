/** The part of the admin interface for state: reset, snapshots, data and troubles. */
import type { FastifyInstance } from "fastify";
import { dataSchemaOf } from "../data/data.ts";
import { imageOfTenant, type TenantImage } from "../state/tenant-image.ts";
import { dataOf } from "../tenant.ts";
import troubleSchema from "../trouble/trouble.schema.json" with { type: "json" };
import { checkedTroubles } from "../trouble/troubles.ts";
import type { Administered } from "./administered.ts";
import { complain, isOptionalText, postsTo, readsOf, UnknownName } from "./replies.ts";

/** How many snapshots are kept; the oldest is dropped. */
const KEPT_SNAPSHOTS = 100;

export const administerState = (app: FastifyInstance, administered: Administered): void => {
  const { mountedServices } = administered;
  const { all: tenants, reopen } = administered.tenants;
  const post = postsTo({ app, tenants });
  const read = readsOf({ app, tenants });
  const snapshots = new Map<string, { readonly tenant: string; readonly image: TenantImage }>();
  let taken = 0;
  post("reset", async ({ name }) => {
    await reopen(name);
    return { tenant: name };
  });
  post("snapshots", (tenant, { name }) => {
    if (!isOptionalText(name)) return undefined;
    taken += 1;
    const snapshot = name ?? `s${taken}`;
    snapshots.delete(snapshot);
    snapshots.set(snapshot, { tenant: tenant.name, image: imageOfTenant(tenant) });
    const [oldest] = snapshots.keys();
    if (snapshots.size > KEPT_SNAPSHOTS && oldest !== undefined) snapshots.delete(oldest);
    return { snapshot };
  });
  post("restore", async ({ name }, { snapshot }) => {
    if (typeof snapshot !== "string") return undefined;
    const known = snapshots.get(snapshot);
    if (known === undefined || known.tenant !== name)
      throw new UnknownName(`The tenant "${name}" has no snapshot "${snapshot}".`);
    await reopen(name, known.image);
    return { tenant: name, snapshot };
  });
  read("GET", "snapshots", ({ name }) => ({
    snapshots: [...snapshots].flatMap(([snapshot, { tenant }]) => (tenant === name ? [snapshot] : [])),
  }));
  app.delete<{ Params: { snapshot: string } }>("/__sandbox/snapshots/:snapshot", async (request, reply) => {
    const { snapshot } = request.params;
    return snapshots.delete(snapshot)
      ? reply.code(204).send()
      : complain(reply, 404, `No snapshot "${snapshot}".`);
  });
  read("GET", "data", dataOf);
  const services = mountedServices.map(({ contract }) => contract.service);
  app.get("/__sandbox/data.schema.json", async () => dataSchemaOf(services));
  app.get("/__sandbox/troubles.schema.json", async () => troubleSchema);
  const contracts = mountedServices.map(({ contract }) => contract);
  post("troubles", ({ troubles }, wanted) => {
    if (wanted.troubles === undefined) return undefined;
    troubles.add(checkedTroubles(wanted, contracts));
    return { troubles: troubles.list() };
  });
  read("GET", "troubles", ({ troubles }) => ({ troubles: troubles.list() }));
  read("DELETE", "troubles", ({ troubles }) => troubles.clear());
};
