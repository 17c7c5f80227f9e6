/** A reader may close its end of a pipe early, as `head` does. Then the rest of the output goes nowhere. */

export const ignoreClosedPipes = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
};
