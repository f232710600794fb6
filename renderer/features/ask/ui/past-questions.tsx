import { useQuery, useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { askKey, conversationsQuery } from '../queries.ts';

interface PastQuestionsProps {
  readonly current: { readonly id: string; readonly title: string } | null;
  readonly onOpen: (conversationId: string) => void;
  readonly onRemoved: () => void;
}

/** Conversations before this one, and what can be done with the one that is shown. */
export function PastQuestions({ current, onOpen, onRemoved }: PastQuestionsProps) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const { data = [] } = useQuery(conversationsQuery(studio));
  const showToast = useToast();
  const [leaving, setLeaving] = useState<typeof current>(null);
  const remove = async (conversationId: string) => {
    const removed = await studio.request('ask.remove', { conversationId });
    if (!removed.ok) return;
    onRemoved();
    showToast({ text: t('ask.removed') });
    await queries.invalidateQueries({ queryKey: askKey });
  };
  return (
    <>
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
            text: `${title} · ${formats.date(changedAtMs)}`,
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
                  isDanger: true,
                  onAction: () => {
                    setLeaving(current);
                  },
                },
              ]),
        ]}
      />
      <Question
        isDanger
        title={t('ask.removeQuestion')}
        confirm={t('ask.remove')}
        cancel={t('common.cancel')}
        isOpen={leaving !== null}
        onCancel={() => {
          setLeaving(null);
        }}
        onConfirm={() => {
          setLeaving(null);
          if (leaving !== null) void remove(leaving.id);
        }}
      >
        {t('ask.removeText', { title: leaving?.title ?? '' })}
      </Question>
    </>
  );
}
