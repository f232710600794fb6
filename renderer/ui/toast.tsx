import { Check, X, type LucideIcon } from 'lucide-react';
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Scope } from '../lib/scope.ts';
import css from './toast.module.css';

export interface ToastContent {
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly action?: { readonly text: string; readonly onPress: () => void };
}
interface ShownToast extends ToastContent {
  readonly id: number;
}

const shownForMs = 6000;
const atMost = 2;

const ToastContext = createContext<(toast: ToastContent) => void>(() => undefined);

/** `const showToast = useToast(); showToast({ text })`. Never the only place for an error. */
export const useToast = () => useContext(ToastContext);

/** Holds at most two toasts for six seconds each; the clock rests while one is hovered or has the focus. */
export function ToastRegion({
  label,
  closeLabel,
  children,
}: {
  readonly label: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const [isHeld, setIsHeld] = useState(false);
  const region = useRef<HTMLElement>(null);
  const lastId = useRef(0);
  const show = useCallback((content: ToastContent) => {
    lastId.current += 1;
    const toast = { ...content, id: lastId.current };
    setToasts((shown) => [...shown, toast].slice(-atMost));
  }, []);
  const close = (id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id));
    setIsHeld(false);
  };

  const oldest = toasts[0]?.id;
  useEffect(() => {
    if (oldest === undefined || isHeld) return undefined;
    const scope = new Scope();
    scope.after(shownForMs, () => {
      setToasts((shown) => shown.filter((toast) => toast.id !== oldest));
    });
    return () => {
      scope.dispose();
    };
  }, [oldest, isHeld]);

  useEffect(() => {
    if (region.current === null) return undefined;
    const scope = new Scope();
    for (const type of ['pointerenter', 'focusin']) {
      scope.listen(region.current, type, () => {
        setIsHeld(true);
      });
    }
    for (const type of ['pointerleave', 'focusout']) {
      scope.listen(region.current, type, () => {
        setIsHeld(false);
      });
    }
    return () => {
      scope.dispose();
    };
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      <section ref={region} aria-label={label} className={css['region']}>
        <output className={css['list']}>
          {toasts.map((toast) => (
            <Toast
              key={toast.id}
              toast={toast}
              closeLabel={closeLabel}
              onClose={() => {
                close(toast.id);
              }}
            />
          ))}
        </output>
      </section>
    </ToastContext>
  );
}

function Toast({
  toast,
  closeLabel,
  onClose,
}: {
  readonly toast: ShownToast;
  readonly closeLabel: string;
  readonly onClose: () => void;
}) {
  const Icon = toast.icon ?? Check;
  const { action } = toast;
  return (
    <div className={css['toast']}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={css['text']}>{toast.text}</span>
      {action && (
        <AriaButton
          className={css['action'] ?? ''}
          onPress={() => {
            action.onPress();
            onClose();
          }}
        >
          {action.text}
        </AriaButton>
      )}
      <AriaButton className={css['action'] ?? ''} aria-label={closeLabel} onPress={onClose}>
        <X aria-hidden size={14} strokeWidth={1.75} />
      </AriaButton>
    </div>
  );
}
