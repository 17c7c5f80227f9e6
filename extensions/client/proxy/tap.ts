/** Collects a body while it passes. */

/** A body is recorded up to this number of bytes. */
const MOST = 8_388_608;

export type Tap = ReturnType<typeof createTap>;

/** @param length the length of the body in bytes, if it is known */
export const createTap = (length?: number) => {
  let chunks: Buffer[] = [];
  let size = 0;
  let isEnded = false;
  const body = (): Buffer | undefined => {
    if (size > MOST) return undefined;
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  };
  return {
    add(chunk: Buffer): void {
      size += chunk.length;
      if (size <= MOST) chunks.push(chunk);
      else chunks = [];
    },
    /** Tells that the whole body has passed. */
    end(): void {
      isEnded = true;
    },
    /** Returns the collected bytes; `undefined` when the body is larger than what is recorded. */
    body,
    /** Returns the collected bytes if they are the whole body. */
    whole: () => (isEnded || size === length ? body() : undefined),
    /** The number of bytes that have passed. */
    size: () => size,
  };
};

/** Passes a stream on and collects it. */
export async function* tapped(stream: AsyncIterable<Buffer>, tap: Tap): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    tap.add(chunk);
    yield chunk;
  }
  tap.end();
}
