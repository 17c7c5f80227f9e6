/** What the admin interface administers. */
import type { MountedService } from "../tenant.ts";
import type { TenantBook } from "../tenants.ts";

export interface Administered {
  readonly mountedServices: readonly MountedService[];
  readonly tenants: TenantBook;
  /** Scheme, host and port of the sandbox. */
  origin(): string;
}
