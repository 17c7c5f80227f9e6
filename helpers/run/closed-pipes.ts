/** A reader may close its end of a pipe early, as `head` does. The rest of the output is then dropped. */

/** @param onError runs when the output can't be written for another reason */
export const ignoreClosedPipes = (
  onError: (error: NodeJS.ErrnoException) => void = (error) => {
    throw error;
  },
): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") onError(error);
    });
  }
};
