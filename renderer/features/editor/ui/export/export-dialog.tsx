import { useEffect, useRef } from 'react';
import { Scope } from '../../../../lib/scope.ts';
import { useText } from '../../../../lib/text.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { useEditor, useEditorState } from '../../editor-context.ts';
import { ExportActions } from './export-actions.tsx';
import css from './export-dialog.module.css';
import { ExportForm } from './export-form.tsx';
import { ExportPreview } from './export-preview.tsx';
import { FormatList } from './format-list.tsx';
import { useExportChoice } from './use-export-choice.ts';

/** Every format, what can be chosen about it, and what the file will be. */
export function ExportDialog() {
  const isOpen = useEditorState((state) => state.isExportOpen);
  return isOpen ? <OpenExportDialog /> : null;
}

function OpenExportDialog() {
  const { store, detail } = useEditor();
  const t = useText();
  const choice = useExportChoice();
  const saver = useRef<(() => void) | null>(null);
  // A click may leave the focus on nothing in particular; Enter is the button below then, too.
  useEffect(() => {
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', ({ key, repeat, target }) => {
      const isNothing = target === document.body || (target instanceof HTMLElement && target.role === 'dialog');
      if (key === 'Enter' && !repeat && isNothing) saver.current?.();
    });
    return () => {
      scope.dispose();
    };
  }, []);
  return (
    <Dialog
      title={t('exports.title')}
      headerExtra={<span className={css['title']}>{detail.title}</span>}
      closeLabel={t('common.close')}
      width="wide"
      isOpen
      onClose={() => {
        store.openExport(false);
      }}
      footer={
        <ExportActions
          key={`${choice.format} ${JSON.stringify(choice.given)} ${choice.source}`}
          choice={choice}
          saver={saver}
        />
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- as in a form: Enter in a field or a choice is the button below */}
      <div
        className={css['body']}
        onKeyDown={(event) => {
          const isChoice = event.target instanceof HTMLInputElement && event.target.type !== 'text';
          if (event.key === 'Enter' && isChoice) saver.current?.();
        }}
      >
        <FormatList format={choice.format} onChange={choice.chooseFormat} />
        <ExportForm choice={choice} />
        <ExportPreview choice={choice} />
      </div>
    </Dialog>
  );
}
