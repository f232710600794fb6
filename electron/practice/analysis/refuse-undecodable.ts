import { problem, type Answer } from '../http/answer.ts';
import type { UndecodableCode } from '../../audio/decode/sound.ts';

const refusals: Readonly<Record<UndecodableCode, { readonly status: number; readonly message: string }>> = {
  unsupported_media_type: { status: 415, message: 'The file is not MP3, WAV, M4A, OGG, WebM or FLAC.' },
  unsupported_codec: { status: 422, message: 'The sound in this file is written in a way that is not supported.' },
  invalid_audio: { status: 422, message: 'The sound in this file cannot be decoded.' },
  audio_too_large: { status: 413, message: 'The recording is longer than six hours.' },
  no_audio: { status: 422, message: 'There is no sound in this file.' },
};

/** The answer to a file that gives no sound. */
export function refuseUndecodable(code: UndecodableCode, detail: string, field = 'audio'): Answer {
  const { status, message } = refusals[code];
  return problem(status, code, message, { [field]: detail });
}
