/** Collects a body while it passes. */

/** A body is recorded up to this number of bytes. */
const MOST = 8_388_608;

export interface Tap {
  add(chunk: Buffer): void;
  /** Returns the collected bytes; `undefined` when the body is larger than what is recorded. */
  body(): Buffer | undefined;
  /** The number of bytes that have passed. */
  size(): number;
}

export const createTap = (): Tap => {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size <= MOST) chunks.push(chunk);
      else chunks = [];
    },
    body: () => (size > MOST ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)),
    size: () => size,
  };
};

/** Passes a stream on and collects it. */
export async function* tapped(stream: AsyncIterable<Buffer>, tap: Tap): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    tap.add(chunk);
    yield chunk;
  }
}

/** @throws the error of the stream; the bytes before it are in the tap */
export const drained = async (stream: AsyncIterable<Buffer>, tap: Tap): Promise<void> => {
  for await (const chunk of stream) tap.add(chunk);
};
