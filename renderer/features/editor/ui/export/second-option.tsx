import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useText } from '../../../../lib/text.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Select } from '../../../../ui/select.tsx';
import { useEditor } from '../../editor-context.ts';
import { LineAlert } from '../../../../ui/line-alert.tsx';
import type { ExportChoice } from './use-export-choice.ts';

/** A longer list would help nobody; transcripts of the same recording come first. */
const mostOffered = 300;

/**
 * Chooses a second text for each caption: the other alphabet, or another transcript of the recording, below or instead
 * of the first.
 */
export function SecondOption({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const studio = useStudio();
  const { detail, scriptChoice } = useEditor();
  const { data } = useQuery({
    queryKey: ['transcripts-beside', detail.id],
    queryFn: () => valueOrThrow(studio.request('transcripts.list', {})),
    gcTime: 0,
    retry: false,
  });
  const others = (data?.transcripts ?? [])
    .filter(({ id }) => id !== detail.id)
    .toSorted((a, b) => Number(b.sourceName === detail.sourceName) - Number(a.sourceName === detail.sourceName))
    .slice(0, mostOffered);
  const value = String(choice.options['second'] ?? '');
  const options = [
    { value: '', text: t('exports.second.none') },
    ...(scriptChoice === null
      ? []
      : [
          {
            value: 'letters',
            text: t(`exports.letters.${choice.isOther ? ownOf(scriptChoice.other) : scriptChoice.other}`),
          },
        ]),
    ...others.map(({ id, title }) => ({ value: id, text: title })),
  ];
  if (options.length === 1) return null;
  const isKnown = options.some((option) => option.value === value);
  const chosen = others.find(({ id }) => id === value);
  const isOfOther = chosen !== undefined && chosen.sourceName !== detail.sourceName;
  return (
    <>
      <Select
        label={t('exports.options.second')}
        options={options}
        value={isKnown ? value : ''}
        onChange={(second) => {
          choice.change({ second });
        }}
      />
      {isOfOther && <LineAlert icon={TriangleAlert}>{t('exports.second.other')}</LineAlert>}
      {isKnown && value !== '' && (
        <Segmented
          label={t('exports.options.tracks')}
          isLabelShown
          isBlock
          size="sm"
          options={(['both', 'second'] as const).map((id) => ({ value: id, text: t(`exports.values.tracks.${id}`) }))}
          value={choice.options['tracks'] === 'second' ? 'second' : 'both'}
          onChange={(tracks) => {
            choice.change({ tracks });
          }}
        />
      )}
    </>
  );
}

const ownOf = (other: 'latin' | 'cyrillic'): 'latin' | 'cyrillic' => (other === 'latin' ? 'cyrillic' : 'latin');
