import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import { asId } from '../../../shared/wire/values.ts';
import { readTranscription, type ReadTranscription } from '../../../shared/wire/read-transcription.ts';

export interface UnreadAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly requestId: string | null;
}

/** Reads a 2xx as far as possible. Plain data in and out, because long answers are read in a thread. */
export function readSttAnswer(answer: UnreadAnswer): ReadTranscription {
  const json = parseGuardedJson(answer.text);
  const body = readTranscription(json.isJson ? json.value : null);
  const read = { ...body, remoteId: body.remoteId ?? idInLocation(answer) };
  const isOnlyTaken = answer.status === 202 && read.transcript === null;
  return {
    ...read,
    // 202 means that the work is waiting, whatever status the envelope around it contains.
    status: isOnlyTaken && (read.status === 'completed' || isSilentOn(read)) ? 'queued' : read.status,
    requestId: read.requestId ?? answer.requestId,
  };
}

/** The transcript in a JSON export of the service, in any usual shape; null when there is none. */
export function readExportedTranscript(body: string): ReceivedTranscript | null {
  const json = parseGuardedJson(body);
  if (!json.isJson) return null;
  const { value } = json;
  return readTranscription(Array.isArray(value) ? { segments: value } : value).transcript;
}

/** The text of a plain export, except an envelope or an HTML page, which would otherwise be shown as speech. */
export function readPlainExport(body: string): ReceivedTranscript | null {
  const isText = body.trim() !== '' && !parseGuardedJson(body).isJson && !/^\s*<(?:!doctype|html|\?xml)/iu.test(body);
  return isText ? { text: body.trim(), segments: [] } : null;
}

/** A job may be identified only by its Location (RFC 9110, 10.2.2). Only the id is used, never the address. */
export function idInLocation({ status, location }: Pick<UnreadAnswer, 'status' | 'location'>): string | null {
  const part = /\/stt\/transcriptions\/([^/?#]+)\/?(?:[?#].*)?$/u.exec(location ?? '')?.[1];
  if (part === undefined || (status !== 201 && status !== 202)) return null;
  try {
    return asId(decodeURIComponent(part)) ?? null;
  } catch {
    return null;
  }
}

const isSilentOn = ({ status, rawStatus, remoteId }: ReadTranscription): boolean =>
  status === 'unknown' && rawStatus === null && remoteId !== null;
