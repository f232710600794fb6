import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, History, Trash2 } from 'lucide-react';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import { conversationsQuery } from '../queries.ts';

interface PastQuestionsProps {
  readonly current: { readonly id: string; readonly title: string } | null;
  readonly onOpen: (conversationId: string) => void;
  readonly onRemoved: () => void;
}

/** Earlier conversations, and the actions on the current one. */
export function PastQuestions({ current, onOpen, onRemoved }: PastQuestionsProps) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const { data = [] } = useQuery(conversationsQuery(studio));
  const nowMs = useNow(false);
  const words = useFailureWords();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const put = async (id: string, where: 'library.trash' | 'library.restore'): Promise<boolean> => {
    const done = await studio.request(where, { items: [{ kind: 'conversation', id }] });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    if (!done.ok) showToast({ text: words(done.error).text, icon: CircleAlert });
    return done.ok;
  };
  const remove = async (id: string) => {
    if (!(await put(id, 'library.trash'))) return;
    onRemoved();
    const bringBack = async () => {
      if (await put(id, 'library.restore')) onOpen(id);
    };
    showUndo({ text: t('ask.removed'), icon: Trash2, undo: () => void bringBack() });
  };
  return (
    <Menu
      label={t('ask.past')}
      chosenId={current?.id ?? null}
      trigger={
        <Button variant="ghost" icon={History} isDisabled={data.length === 0}>
          {t('ask.past')}
        </Button>
      }
      entries={[
        ...data.slice(0, 100).map(({ id, title, changedAtMs }) => ({
          id,
          text: `${title} · ${formats.moment(changedAtMs, nowMs)}`,
          onAction: () => {
            onOpen(id);
          },
        })),
        ...(current === null
          ? []
          : [
              'separator' as const,
              {
                id: 'remove',
                text: t('ask.remove'),
                icon: Trash2,
                onAction: () => void remove(current.id),
              },
            ]),
      ]}
    />
  );
}
