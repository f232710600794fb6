import { voicePalettes, type VoicePalette } from '../../../../shared/domain/voices/clone-rules.ts';
import { cx } from '../../../lib/class-names.ts';
import css from './voice-orb.module.css';

/** Voices of the catalogue have no palette; these ones are the easiest to tell apart. */
const usual = ['calm', 'storytelling', 'deep', 'bright', 'steady', 'delicate', 'energetic', 'narrator'] as const;

/** A voice has the same colours everywhere: its own palette, or one derived from its name. */
export function lookOf({ id, palette }: { readonly id: string; readonly palette?: string | null }): VoicePalette {
  const given = voicePalettes.find((one) => one === palette);
  const hash = Array.from(id).reduce((sum, letter) => (sum * 131 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
  return given ?? usual[hash % usual.length] ?? 'calm';
}

export function Orb({ look, size = 'md' }: { readonly look: VoicePalette; readonly size?: 'sm' | 'md' | 'lg' | 'xl' }) {
  return <span aria-hidden className={cx(css['orb'], css[look], css[size])} />;
}
