/** The addresses in options: commands and messages show them without user, password and secret values of their query. */
import { ConfigurationError } from "../target/load-target.ts";
import { createSecretNames, redactSecrets } from "./secrets/secrets.ts";

const names = createSecretNames([], {});

const ADDRESS = /^(https?:\/\/)(?:[^/?#]*@)?/i;

/** Returns an address as a command may show it: variables replace secret values. Other texts stay as they are. */
export const shownAddress = (text: string): string =>
  ADDRESS.test(text)
    ? text
        .replace(ADDRESS, "$1")
        .replaceAll(VALUE, (pair: string, start: string, name: string, value: string) => {
          const isSecret = names.isParameter(name) || redactSecrets(pair, names, () => false) !== pair;
          return isSecret && !VARIABLE.test(value) ? `${start}${name}=$${variableFor(name)}` : pair;
        })
    : text;

const VALUE = /([?&])([^=&#]+)=([^&#]+)/g;

const VARIABLE = /^\$([A-Z_][A-Z\d_]*)$/;

/** Returns the variable that stands for a value with this name. */
export const variableFor = (name: string): string => name.toUpperCase().replaceAll(/\W+/g, "_");

/** Returns an address with the values of the variables in its query. @throws ConfigurationError for an unknown variable */
export const filledAddress = (option: string, text: string): string =>
  ADDRESS.test(text)
    ? text.replaceAll(VALUE, (_, start: string, name: string, value: string) => {
        const [, variable] = VARIABLE.exec(value) ?? [];
        return `${start}${name}=${variable === undefined ? value : encodeURIComponent(variableOf(option, variable))}`;
      })
    : text;

/** Returns the value of a variable of the environment. @throws ConfigurationError if it has none */
export const variableOf = (option: string, variable: string): string => {
  const value = process.env[variable];
  if (value) return value;
  throw new ConfigurationError(`${option}: there is no variable ${variable} in the environment.`);
};
