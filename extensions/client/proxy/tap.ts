/** Collects a body while it passes. */

/** A body is recorded up to this number of bytes. */
const MOST = 8_388_608;

export interface Tap {
  add(chunk: Buffer): void;
  /** Tells that the whole body has passed. */
  end(): void;
  /** Returns the collected bytes; `undefined` when the body is larger than what is recorded. */
  body(): Buffer | undefined;
  /** Returns the collected bytes if they are the whole body. */
  whole(): Buffer | undefined;
  /** The number of bytes that have passed. */
  size(): number;
}

/** @param length the length of the body in bytes, if it is known */
export const createTap = (length?: number): Tap => {
  let chunks: Buffer[] = [];
  let size = 0;
  let isEnded = false;
  const body = (): Buffer | undefined => {
    if (size > MOST) return undefined;
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  };
  return {
    add(chunk) {
      size += chunk.length;
      if (size <= MOST) chunks.push(chunk);
      else chunks = [];
    },
    end() {
      isEnded = true;
    },
    body,
    whole: () => (isEnded || size === length ? body() : undefined),
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

/** @throws the error of the stream; the bytes before it are in the tap */
export const drained = async (stream: AsyncIterable<Buffer>, tap: Tap): Promise<void> => {
  for await (const chunk of stream) tap.add(chunk);
  tap.end();
};
