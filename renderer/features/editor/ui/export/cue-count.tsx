import { useMemo } from 'react';
import { prepareTranscript } from '../../../../../shared/domain/exports/prepare.ts';
import { findProblems } from '../../../../../shared/domain/subtitles/check-cues.ts';
import { makeCues } from '../../../../../shared/domain/subtitles/make-cues.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { useDocument, useEditor } from '../../editor-context.ts';
import { scriptFor } from '../../model/letters.ts';
import { profileOf } from './profile-of.ts';
import type { ExportChoice } from './use-export-choice.ts';

/** How many captions the whole file will have, and how many are faster than was asked. */
export function CueCount({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const formats = useFormats();
  const { letters } = useEditor();
  const transcript = useDocument((state) => state.transcript);
  const options = JSON.stringify(choice.options);
  const counts = useMemo(() => {
    const read = JSON.parse(options) as ExportChoice['options'];
    const profile = profileOf(read);
    if (profile === null) return null;
    const shown = prepareTranscript(transcript, {
      script: scriptFor(letters, choice.isOther),
      omitsFillers: read['omitsFillers'] === true,
      followsCuts: read['followsCuts'] === true,
    });
    const cues = makeCues(shown, profile);
    const { language, durationMs } = shown;
    const problems = findProblems(cues, { profile, language, durationMs });
    return { cues: cues.length, faster: problems.filter(({ kind }) => kind === 'too-fast').length };
  }, [transcript, letters, options, choice.isOther]);
  if (counts === null) return null;
  const written = (count: number) => ({ count, number: formats.number(count) });
  return (
    <output>
      {t('exports.captions', written(counts.cues))}
      {counts.faster > 0 && ` · ${t('exports.faster', written(counts.faster))}`}
    </output>
  );
}
