import type { CSSProperties } from 'react';
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

const colours: Readonly<Record<VoicePalette, readonly [string, string, string]>> = {
  cloud: ['#f4f8fb', '#a9c3d4', '#6f93ad'],
  support: ['#d9f3e4', '#62b48d', '#2a7a5c'],
  storytelling: ['#ffe3bd', '#d98a4b', '#8b3d2b'],
  narrator: ['#e9dccb', '#9b7b5c', '#4e3826'],
  energetic: ['#fff0b3', '#f0a024', '#d4452d'],
  calm: ['#d7f4f1', '#5fb6b1', '#176a71'],
  delicate: ['#fdeaea', '#e3a7ab', '#b4637a'],
  steady: ['#dfe5ea', '#7c8b99', '#3d4a57'],
  deep: ['#6c9ad0', '#1f4d8f', '#0c2450'],
  bright: ['#fffbe0', '#efd25e', '#5fae9a'],
};

export function Orb({ look, size = 'md' }: { readonly look: VoicePalette; readonly size?: 'sm' | 'md' | 'lg' | 'xl' }) {
  const [light, base, shadow] = colours[look];
  const style = { '--light': light, '--base': base, '--shadow': shadow } as CSSProperties;
  return <span aria-hidden className={cx(css['orb'], css[size])} style={style} />;
}
