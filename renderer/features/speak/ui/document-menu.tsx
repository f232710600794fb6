import { ChevronDown, FileText, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { titleOf } from '../../../../shared/domain/speech/speech-document.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';

const mostListed = 20;

/** The name of the text; opens the others. */
export function DocumentMenu() {
  const t = useText();
  const { store } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const documents = useSpeakState((state) => state.documents);
  const [asks, setAsks] = useState<'rename' | 'delete' | null>(null);
  const [name, setName] = useState('');
  if (document === null) return null;
  const shown = titleOf(document) || t('speak.untitled');
  const close = () => setAsks(null);
  const rename = () => {
    store.patchDocument({ title: name.trim().slice(0, 300) });
    close();
  };
  return (
    <span className={css['documents']}>
      <Menu
        label={t('speak.documents')}
        placement="bottom start"
        trigger={
          <Button variant="ghost" size="sm" iconAfter={ChevronDown} className={css['documentName']}>
            {shown}
          </Button>
        }
        entries={[
          { id: 'new', text: t('speak.newText'), icon: Plus, onAction: () => void store.create() },
          {
            id: 'rename',
            text: t('speak.rename'),
            icon: Pencil,
            onAction: () => {
              setName(shown);
              setAsks('rename');
            },
          },
          { id: 'delete', text: t('speak.delete'), icon: Trash2, isDanger: true, onAction: () => setAsks('delete') },
          ...(documents.length > 1 ? (['separator'] as const) : []),
          ...documents
            .filter(({ id }) => id !== document.id)
            .slice(0, mostListed)
            .map(({ id, title }) => ({
              id,
              text: title || t('speak.untitled'),
              icon: FileText,
              onAction: () => void store.open(id),
            })),
        ]}
      />
      <Dialog
        title={t('speak.renameTitle')}
        closeLabel={t('speak.close')}
        width="sm"
        isOpen={asks === 'rename'}
        onClose={close}
        footer={
          <>
            <Button onPress={close}>{t('speak.cancel')}</Button>
            <Button variant="primary" onPress={rename}>
              {t('speak.save')}
            </Button>
          </>
        }
      >
        <Field isAutoFocused label={t('speak.name')} value={name} onChange={setName} onEnter={rename} />
      </Dialog>
      <Question
        isDanger
        title={t('speak.deleteTitle')}
        confirm={t('speak.deleteConfirm')}
        isOpen={asks === 'delete'}
        onClose={close}
        onConfirm={() => void store.remove()}
      >
        {t('speak.deleteText')}
      </Question>
    </span>
  );
}
