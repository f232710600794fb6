import { spellName } from '../text/uzbek-letters.ts';
import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal, Step } from './change.ts';
import { withoutOverlaps } from './edit-segments.ts';
import { cleanSpokenText } from './spoken-text.ts';
import type { Speaker, Transcript } from './transcript.ts';

type Edit = Result<Change, EditRefusal>;

const speakersStep = (speakers: readonly Speaker[]): Step => ({ type: 'speakers', speakers });

export function renameSpeaker(
  { speakers, language }: Transcript,
  speakerId: string,
  typed: string,
  colour: number | null = null,
): Edit {
  const found = speakers.find(({ id }) => id === speakerId);
  if (found === undefined) return err('unknown-speaker');
  const cleaned = cleanSpokenText(typed);
  const name = cleaned === '' ? null : cleaned === found.name ? cleaned : spellName(language, cleaned);
  const shown = colour === null ? {} : { colour };
  if (name === found.name && (colour === null || colour === found.colour)) return err('nothing-to-change');
  return ok([speakersStep(speakers.map((one) => (one === found ? { ...one, name, ...shown } : one)))]);
}

export function colourSpeaker({ speakers }: Transcript, speakerId: string, colour: number): Edit {
  const found = speakers.find(({ id }) => id === speakerId);
  if (found === undefined) return err('unknown-speaker');
  if (found.colour === colour) return err('nothing-to-change');
  return ok([speakersStep(speakers.map((one) => (one === found ? { ...one, colour } : one)))]);
}

export function addSpeaker({ speakers, language }: Transcript, id: string, typed: string): Edit {
  if (speakers.some((one) => one.id === id)) return err('nothing-to-change');
  const name = spellName(language, cleanSpokenText(typed));
  return ok([speakersStep([...speakers, { id, name: name === '' ? null : name }])]);
}

export function assignSpeaker(transcript: Transcript, segmentIds: ReadonlySet<string>, speakerId: string | null): Edit {
  if (speakerId !== null && !transcript.speakers.some(({ id }) => id === speakerId)) return err('unknown-speaker');
  const segments = transcript.segments
    .filter((segment) => segmentIds.has(segment.id) && segment.speakerId !== speakerId)
    .map((segment) => ({ ...segment, speakerId }));
  if (segments.length === 0) return err('nothing-to-change');
  return ok(withoutOverlaps(transcript, [{ type: 'set', segments }]));
}

export function mergeSpeakers(transcript: Transcript, fromId: string, intoId: string): Edit {
  const { speakers, segments } = transcript;
  const into = speakers.find(({ id }) => id === intoId);
  const from = speakers.find(({ id }) => id === fromId);
  if (into === undefined || from === undefined) return err('unknown-speaker');
  if (from === into) return err('nothing-to-change');
  const given = segments.filter(({ speakerId }) => speakerId === fromId).map(({ id }) => id);
  const assigned = given.length === 0 ? ok([]) : assignSpeaker(transcript, new Set(given), intoId);
  if (!assigned.ok) return assigned;
  const named = into.name === null ? { ...into, name: from.name } : into;
  return ok([
    ...assigned.value,
    speakersStep(speakers.filter((one) => one !== from).map((one) => (one === into ? named : one))),
  ]);
}
