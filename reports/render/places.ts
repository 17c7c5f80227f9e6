/** How documents are named to readers of results, who may have another working directory. */
import { isAbsolute, relative, resolve } from "node:path";

export const isAddress = (document: string): boolean => /^https?:\/\//i.test(document);

/** Returns the path without the revision of a document in git. */
export const plainPath = (file: string): string => file.replace(/^git:[^:]*:/, "");

/** Returns the path from the working directory, with slashes; the absolute path of a file outside of it. */
export const nearPath = (file: string): string => {
  const near = relative(process.cwd(), plainPath(file));
  return near.startsWith("..") || isAbsolute(near) ? resolve(plainPath(file)) : near.replaceAll("\\", "/");
};
