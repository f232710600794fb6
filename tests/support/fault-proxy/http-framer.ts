/** One piece of a stream of HTTP/1.1 messages. Every byte of the stream is in exactly one piece, in order. */
export type Piece =
  | { readonly kind: 'head'; readonly bytes: Buffer; readonly first: string; readonly headers: readonly string[] }
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

type BodyKind =
  | { readonly by: 'length'; left: number }
  | { readonly by: 'chunks'; tail: Buffer }
  | { readonly by: 'close' };

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/**
 * Finds where messages start and end, without changing a byte. `hasBody` says of an answer whether a body follows its
 * head (none after HEAD, 204, 304); requests need none. Trailers of chunked bodies are not understood.
 */
export class HttpFramer {
  readonly #isAnswer: boolean;
  #pending: Buffer = Buffer.alloc(0);
  #body: BodyKind | null = null;

  constructor(side: 'requests' | 'answers') {
    this.#isAnswer = side === 'answers';
  }

  *feed(chunk: Buffer): Generator<Piece> {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length > 0) {
      if (this.#body === null) {
        const at = this.#pending.indexOf(headEnd);
        if (at < 0) return;
        yield* this.#head(this.#take(at + headEnd.length));
      } else yield* this.#more(this.#body);
    }
  }

  *#head(bytes: Buffer): Generator<Piece> {
    const [first = '', ...headers] = bytes.toString('latin1').trimEnd().split('\r\n');
    yield { kind: 'head', bytes, first, headers };
    const body = bodyOf(first, headers, this.#isAnswer);
    if (body === null) yield { kind: 'end' };
    // An interim answer is followed by the answer itself.
    else this.#body = body;
  }

  *#more(body: BodyKind): Generator<Piece> {
    const end = endIn(body, this.#pending);
    const bytes = this.#take(end ?? this.#pending.length);
    if (body.by === 'length') body.left -= bytes.length;
    else if (body.by === 'chunks') body.tail = Buffer.concat([body.tail, bytes]).subarray(-lastChunk.length + 1);
    yield { kind: 'body', bytes };
    if (end === null) return;
    this.#body = null;
    yield { kind: 'end' };
  }

  #take(count: number): Buffer {
    const taken = this.#pending.subarray(0, count);
    this.#pending = this.#pending.subarray(count);
    return taken;
  }
}

/** The value of a header by its name in lower case, or undefined. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const line = headers.find((header) => header.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

function bodyOf(first: string, headers: readonly string[], isAnswer: boolean): BodyKind | null {
  const status = isAnswer ? Number(first.split(' ')[1]) : 0;
  if (isAnswer && status === 101) return { by: 'close' };
  if (isAnswer && (status < 200 || status === 204 || status === 304)) return null;
  if (/chunked/iu.test(headerOf(headers, 'transfer-encoding') ?? ''))
    return { by: 'chunks', tail: Buffer.from('\r\n') };
  const length = headerOf(headers, 'content-length');
  if (length !== undefined) return Number(length) === 0 ? null : { by: 'length', left: Number(length) };
  // What follows an upgrade request is no HTTP message any more.
  if (!isAnswer) return headerOf(headers, 'upgrade') === undefined ? null : { by: 'close' };
  return { by: 'close' };
}

/** How many of the pending bytes belong to the message if it ends in them, else null. */
function endIn(body: BodyKind, pending: Buffer): number | null {
  if (body.by === 'length') return pending.length >= body.left ? body.left : null;
  if (body.by === 'close') return null;
  const at = Buffer.concat([body.tail, pending]).indexOf(lastChunk);
  return at < 0 ? null : at + lastChunk.length - body.tail.length;
}
