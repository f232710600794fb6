import { useState } from 'react';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

export function NameDialog({ title, name: before, onClose, onName }: NameDialogProps) {
  const t = useText();
  const [name, setName] = useState(before);
  const save = () => {
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <Dialog
      isOpen
      width="sm"
      // A menu command ends with an ellipsis because a dialog follows; the title of the dialog does not.
      title={title.replace(/…$/u, '')}
      closeLabel={t('common.cancel')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" isDisabled={name.trim() === ''} onPress={save}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <Field label={t('library.name')} value={name} isAutoFocused onChange={setName} onEnter={save} />
    </Dialog>
  );
}
