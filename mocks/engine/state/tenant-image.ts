/** Images of whole tenants: the state of every service, the deliveries and the time. */
import type { Tenant } from "../tenant.ts";
import { type Fields, isObject } from "../values/fields.ts";
import { type Image, imageOf, restoreImage, type Stores } from "../values/image.ts";

export interface TenantImage {
  /** Milliseconds by which the clock is ahead. */
  readonly ahead: number;
  readonly image: Image;
}

export const imageOfTenant = (tenant: Tenant): TenantImage => ({
  ahead: tenant.clock.now().getTime() - Date.now(),
  image: imageOf(storesOf(tenant)),
});

/** Brings a fresh tenant, opened with the same options, into the state of the image. */
export const restoreTenant = async (tenant: Tenant, { ahead, image }: TenantImage): Promise<void> => {
  const [first] = tenant.instances.values();
  restoreImage(storesOf(tenant), image, first?.effects.behaves ?? (() => false));
  await tenant.clock.moveTo(new Date(Date.now() + ahead));
  for (const { open } of tenant.instances.values()) open.resume?.();
  tenant.deliveries.resume();
};

const storesOf = ({ instances, deliveries }: Tenant): Stores => ({
  ...Object.fromEntries(
    [...instances].flatMap(([service, { open, playback }]) =>
      Object.entries({ ...open.stores?.(), ...(playback && { played: playback.gone }) }).map(
        ([name, store]) => [`${service} ${name}`, store],
      ),
    ),
  ),
  ...deliveries.stores,
});

export const isTenantImage = (value: unknown): value is TenantImage =>
  isObject(value) &&
  typeof value.ahead === "number" &&
  isObject(value.image) &&
  Array.isArray((value.image as Fields).nodes);
