/** Redacts keys that are not ours, by the forms that issuers of keys document: PEM, and the prefixes of tokens. */
import { type IsKept, placeholder } from "./placeholder.ts";

const PEM =
  /-----BEGIN ([A-Z ]{0,40}PRIVATE KEY)-----(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z ]{0,40}-----)?/g;

const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    "A(?:KIA|SIA)[A-Z0-9]{16}",
    "AIza[\\w-]{35}",
    "gh[opsur]_\\w{36,255}",
    "github_pat_\\w{22,255}",
    "glpat-[\\w-]{20,255}",
    "npm_[A-Za-z0-9]{36}",
    "xox[abeoprs]-[\\w-]{10,255}",
    "(?:sk|rk|pk)_(?:live|test)_\\w{16,255}",
    "SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}",
    "ya29\\.[\\w-]{20,512}",
    // The secret of a webhook, with which its deliveries are signed.
    "whsec_[A-Za-z0-9+/_-]{20,255}={0,2}",
    "AccountKey=[A-Za-z0-9+/]{40,128}={0,2}",
  ].join("|")})`,
  "g",
);

/** A sign that every text has in which a key is found. */
export const KEY_SIGN =
  /-----BEGIN |A[KS]IA|AIza|gh[opsur]_|github_pat_|glpat-|npm_|xox|_live_|_test_|SG\.|ya29\.|whsec_|AccountKey=/;

export const redactForeignKeys = (text: string, isKept: IsKept): string =>
  text
    .replaceAll(PEM, (key, kind: string) => (isKept(key) ? key : placeholder(kind.toLowerCase(), key)))
    .replaceAll(PREFIXED, (key) => (isKept(key) ? key : placeholder("key", key)));
