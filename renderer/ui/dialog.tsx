import { X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import { useText } from '../lib/text.ts';
import { Button } from './button.tsx';
import css from './dialog.module.css';
import { IconButton } from './icon-button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Never scrolls; the middle does. `leave` closes the dialog, after the question if it holds work. */
  readonly footer?: ReactNode | ((leave: () => void) => ReactNode);
  /** Between the title and the close button. */
  readonly headerExtra?: ReactNode;
  readonly width?: 'sm' | 'md' | 'lg' | 'xl' | 'wide';
  /** For long text without a control in it: the text takes the focus, so that keys can scroll it. */
  readonly scrollsByKeys?: boolean;
  /** For questions: named as an alert, and a press outside does not close it. */
  readonly isAlert?: boolean;
  /** Something was entered: leaving it is asked about first. */
  readonly holdsWork?: boolean;
}

/** The focus moves in and returns on close; Escape closes. No dialog opens another. */
export function Dialog({
  title,
  closeLabel,
  isOpen,
  onClose,
  children,
  footer,
  headerExtra,
  width = 'md',
  isAlert = false,
  scrollsByKeys = false,
  holdsWork = false,
}: DialogProps) {
  const t = useText();
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = () => {
    if (holdsWork) setIsLeaving(!isLeaving);
    else onClose();
  };
  const dialog = useRef<HTMLElement>(null);
  const wasShown = useRef(false);
  // A button that goes with its row takes the focus along, and then no key reaches the dialog.
  useEffect(() => {
    if (wasShown.current && isOpen && document.activeElement === document.body) dialog.current?.focus();
    wasShown.current = isOpen;
  });
  return (
    <ModalOverlay
      className={css['scrim'] ?? ''}
      isOpen={isOpen}
      isDismissable={!isAlert}
      onOpenChange={(open) => {
        if (!open) leave();
      }}
    >
      <Modal className={cx(css['modal'], css[width])}>
        <AriaDialog ref={dialog} className={css['dialog'] ?? ''} role={isAlert ? 'alertdialog' : 'dialog'}>
          <header className={css['header']} data-dialog-header="">
            <Heading slot="title" level={2} className={css['title'] ?? ''}>
              {title}
            </Heading>
            {headerExtra && <div className={css['extra']}>{headerExtra}</div>}
            {!isAlert && <IconButton label={closeLabel} icon={X} onPress={leave} />}
          </header>
          <div className={css['body']} {...(scrollsByKeys && { tabIndex: 0, role: 'region', 'aria-label': title })}>
            {children}
          </div>
          {isLeaving ? (
            <footer className={css['footer']}>
              <p role="alert" className={css['leaving']}>
                {t('common.leaveForm')}
              </p>
              <Button
                isAutoFocused
                onPress={() => {
                  setIsLeaving(false);
                }}
              >
                {t('common.goOnEditing')}
              </Button>
              <Button variant="danger" onPress={onClose}>
                {t('common.discard')}
              </Button>
            </footer>
          ) : (
            footer && <footer className={css['footer']}>{typeof footer === 'function' ? footer(leave) : footer}</footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface QuestionProps {
  readonly title: string;
  /** What is asked, as one paragraph. */
  readonly children?: ReactNode;
  /** Choices and notices below it. */
  readonly controls?: ReactNode;
  readonly confirm: string;
  /** The safe answer; "Cancel" unless given. */
  readonly cancel?: string;
  readonly isDanger?: boolean;
  /** Enter confirms, as where what is confirmed can be undone. */
  readonly focusesConfirm?: boolean;
  readonly isOpen: boolean;
  /** It can't be confirmed yet. */
  readonly isDisabled?: boolean;
  readonly isLoading?: boolean;
  /** A confirmed question stays until `isOpen` ends, to show the result. */
  readonly staysOpen?: boolean;
  /** Called after `onClose`. */
  readonly onConfirm: () => void;
  /** The question was answered, either way. */
  readonly onClose: () => void;
}

/** Asks before something that can't be undone, or may not be meant. The safe answer has the focus, unless `focusesConfirm`. */
export function Question({
  isDanger = false,
  focusesConfirm = false,
  isDisabled = false,
  isLoading = false,
  ...props
}: QuestionProps) {
  const t = useText();
  const { cancel = t('common.cancel'), children, onClose, staysOpen = false } = props;
  return (
    <Dialog
      isAlert
      width="sm"
      title={props.title}
      closeLabel={cancel}
      isOpen={props.isOpen}
      onClose={onClose}
      footer={
        <>
          <Button isAutoFocused={!focusesConfirm} onPress={onClose}>
            {cancel}
          </Button>
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            isAutoFocused={focusesConfirm}
            isDisabled={isDisabled}
            isLoading={isLoading}
            onPress={() => {
              if (!staysOpen) onClose();
              props.onConfirm();
            }}
          >
            {props.confirm}
          </Button>
        </>
      }
    >
      {children !== undefined && <p>{children}</p>}
      {props.controls}
    </Dialog>
  );
}
