/** The errors of files and data that cannot be used. */

export type Path = readonly (string | number)[];

/** The data cannot be used. `path` leads to the wrong value. */
export class DataError extends Error {
  override readonly name = "DataError";
  readonly path: Path;
  constructor(path: Path, message: string) {
    super(message);
    this.path = path;
  }
}

/** A file of data, troubles or state cannot be used. The message names it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Adds a step to the path of an error in the data. */
export const within = <Result>(step: string | number, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    throw error instanceof DataError ? new DataError([step, ...error.path], error.message) : error;
  }
};

/** @throws DataError when there is no such resource */
export const existing = <Value>(
  found: Value | undefined,
  field: string,
  noun: string,
  id: unknown,
): Value => {
  if (found !== undefined) return found;
  throw new DataError([field], `no ${noun} has the id "${id}"`);
};

/** @throws DataError when the id is taken */
export const refuseRepeated = (isTaken: boolean, field: string, id: unknown, noun = "id"): void => {
  if (isTaken) throw new DataError([field], `the ${noun} "${id}" repeats`);
};
