import { useQuery } from '@tanstack/react-query';
import { Captions, FileSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

/** Shown for an empty queue; if rows were removed, it links to their transcripts. */
export function EmptyQueue({ samples }: { readonly samples: ReactNode }) {
  const t = useText();
  const run = useRunCommand();
  const { data: transcripts = [] } = useQuery(transcriptsQuery(useStudio()));
  const find = transcripts.length > 0 && (
    <Button icon={FileSearch} onPress={() => run('transcripts.find')}>
      {t('palette.commands.findTranscript')}
    </Button>
  );
  return (
    <EmptyState
      icon={Captions}
      title={t('transcribe.empty.title')}
      action={
        (find || samples) && (
          <>
            {find}
            {samples}
          </>
        )
      }
    >
      {t('transcribe.empty.text')}
    </EmptyState>
  );
}
