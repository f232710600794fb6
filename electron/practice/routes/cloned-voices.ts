import { metadataBody, writeMetadata } from '../clone/metadata.ts';
import { json, noContent, type Answer } from '../http/answer.ts';
import { readJson } from '../http/read-json.ts';
import type { Exchange, KeyedExchange } from '../http/route.ts';
import type { Services } from '../services.ts';
import { cloneNotFound } from './enrollments.ts';

const idOf = ({ params }: Exchange): string => params['voiceId'] ?? '';

/** GET /v1/voices/{voice_id}: the metadata of an own voice */
export function readVoiceMetadata(exchange: Exchange, { clonedVoices }: Services): Answer {
  const voice = clonedVoices.find(idOf(exchange));
  return voice === null ? cloneNotFound : json(200, writeMetadata(voice.metadata));
}

/** PUT /v1/voices/{voice_id} */
export async function replaceVoiceMetadata(exchange: KeyedExchange, { clonedVoices }: Services): Promise<Answer> {
  const voice = clonedVoices.find(idOf(exchange));
  if (voice === null) return cloneNotFound;
  const order = await readJson(exchange.request, metadataBody(voice.language), {
    invalidStatus: 422,
    invalidCode: 'validation_failed',
  });
  if (!order.ok) return order.error;
  clonedVoices.replaceMetadata(voice.id, order.value);
  return noContent;
}

/** DELETE /v1/voices/{voice_id}: ends its use at once and deletes its measurements; may be repeated */
export function deleteVoice(exchange: Exchange, { clonedVoices, enrollments, transaction, now }: Services): Answer {
  const id = idOf(exchange);
  const wasThere = transaction(() => {
    if (!clonedVoices.remove(id, now())) return false;
    enrollments.forgetVoice(id);
    return true;
  });
  return wasThere ? noContent : cloneNotFound;
}
