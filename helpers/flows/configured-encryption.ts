/** Reads the public keys that encrypt fields of bodies from the settings of a target. */
import type { Service } from "../contract/contract.ts";
import { type Setting, serviceDescriptor } from "../contract/services.ts";
import { ConfigurationError } from "../target/load-target.ts";
import type { Target } from "../target/target.ts";
import { type CardEncryption, createCardEncryption } from "./card-encryption.ts";

/**
 * Returns the encryption of a service; `undefined` if no key is configured.
 * @throws ConfigurationError when the key cannot be used
 */
export const configuredEncryption = (
  { values }: Pick<Target, "values">,
  service: Service,
): CardEncryption | undefined => {
  const { name = "", encryption } = keySetting(service) ?? {};
  const key = values[name];
  if (key === undefined || encryption === undefined) return undefined;
  const options = Object.entries(encryption).map(([option, setting]) => [option, values[setting]]);
  try {
    return createCardEncryption(key, Object.fromEntries(options.filter(([, value]) => value)));
  } catch (error) {
    throw unusable(name, error);
  }
};

/** Tries each configured key. @throws ConfigurationError when a key or an algorithm cannot be used */
export const requireEncryption = async (target: Target, services: readonly Service[]): Promise<void> => {
  for (const service of services) {
    const { encryption } = keySetting(service) ?? {};
    await configuredEncryption(target, service)
      ?.encrypt("")
      .catch((error: unknown) => {
        throw unusable(`${encryption?.alg} or ${encryption?.enc}`, error);
      });
  }
};

const keySetting = (service: Service): Setting | undefined =>
  serviceDescriptor(service).settings.find(({ encryption }) => encryption !== undefined);

const unusable = (name: string, error: unknown): ConfigurationError =>
  new ConfigurationError(`${name}: ${(error as Error).message}`);
