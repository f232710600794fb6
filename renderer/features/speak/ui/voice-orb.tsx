import { voicePalettes, type VoicePalette } from '../../../../shared/domain/voices/clone-rules.ts';
import { cx } from '../../../lib/class-names.ts';
import css from './voice-orb.module.css';

/** Voices of the catalogue have no look of their own; these are told apart best. */
const usual = ['calm', 'storytelling', 'deep', 'bright', 'steady', 'delicate', 'energetic', 'narrator'] as const;

const turns = [0, 40, 80, -40, -80] as const;

/** A voice has the same colours wherever it is shown: those it was given, or some that follow from its name. */
export function lookOf({ id, palette }: { readonly id: string; readonly palette?: string | null }) {
  const given = voicePalettes.find((one) => one === palette);
  const hash = Array.from(id).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
  const look: VoicePalette = given ?? usual[hash % usual.length] ?? 'calm';
  return { look, turn: given === undefined ? (turns[Math.floor(hash / usual.length) % turns.length] ?? 0) : 0 };
}

/** `turn`: of its colours, degrees. */
export function Orb({
  look,
  turn = 0,
  size = 'md',
}: {
  readonly look: VoicePalette;
  readonly turn?: number;
  readonly size?: 'sm' | 'md' | 'lg' | 'xl';
}) {
  const style = turn === 0 ? undefined : { filter: `hue-rotate(${String(turn)}deg)` };
  return <span aria-hidden className={cx(css['orb'], css[look], css[size])} style={style} />;
}
