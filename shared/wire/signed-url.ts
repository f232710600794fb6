import { asFilledText, asJsonObject, isJsonObject, pick, type JsonObject } from './values.ts';

/**
 * An address that the service signed. It does not print itself and is accepted only by the guarded download, so that it
 * can't reach a log, a database, the page, or a request that carries a key.
 */
export class SignedUrl {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** For the guarded download alone. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[signed address]';
  }

  toJSON(): string {
    return '[signed address]';
  }
}

const longestAddress = 8192;

/** The address to download from, by any usual name (assumptions: signed-address); null when there is none yet. */
export function readSignedUrl(source: JsonObject): SignedUrl | null {
  const direct = pick(source, ['audio_url', 'download_url', 'url', 'audio_path'], asFilledText);
  const inner = pick(source, ['audio', 'download', 'file', 'export'], asJsonObject);
  const value =
    direct ?? (isJsonObject(inner) ? pick(inner, ['url', 'download_url', 'audio_url'], asFilledText) : undefined);
  return value !== undefined && value.length <= longestAddress ? new SignedUrl(value) : null;
}
