import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import type { Sample } from '../../services/intake/intake.ts';

const description = lazySchema(() =>
  z.object({
    language: z.enum(speechLanguages),
    segments: z.array(z.object({ speaker: z.string() })),
  }),
);
const audio = /[.](wav|mp3|m4a|ogg|opus|webm|flac)$/;

/** The bundled sample recordings: each audio file with a description of the same name. */
export async function readBundledSamples(folder: string): Promise<readonly Sample[]> {
  const names = await readdir(folder);
  const samples: Sample[] = [];
  for (const name of names.filter((each) => audio.test(each)).toSorted()) {
    const words = names.find((each) => each === name.replace(audio, '.json'));
    if (words === undefined) continue;
    const { language, segments } = description().parse(JSON.parse(await readFile(join(folder, words), 'utf8')));
    const path = join(folder, name);
    const { size } = await stat(path);
    samples.push({
      path,
      name,
      sizeBytes: size,
      language,
      speakers: new Set(segments.map(({ speaker }) => speaker)).size,
    });
  }
  return samples;
}
