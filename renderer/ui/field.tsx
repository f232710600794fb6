import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { FieldError, Group, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components';
import css from './field.module.css';

export interface FieldProps extends Pick<TextFieldProps, 'isDisabled' | 'type'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onEnter?: () => void;
  /** False: Escape means what it means around the field. */
  readonly onEscape?: () => boolean;
  readonly hint?: string;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly icon?: LucideIcon;
  readonly suffix?: ReactNode;
  readonly isAutoFocused?: boolean;
}

export function Field({ label, hint, error = null, placeholder, icon: Icon, suffix, ...props }: FieldProps) {
  const { onEnter, onEscape, isAutoFocused = false, ...field } = props;
  return (
    <TextField
      {...field}
      className={css['field'] ?? ''}
      isInvalid={error !== null}
      validationBehavior="aria"
      autoComplete="off"
      spellCheck="false"
      {...(isAutoFocused && { autoFocus: true })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter?.();
        else if (event.key === 'Escape' && onEscape?.() === true) event.preventDefault();
        // Escape closes the surrounding dialog, F6 moves on: keys that the field does not use must propagate.
        else event.continuePropagation();
      }}
    >
      <Label className={css['label'] ?? ''}>{label}</Label>
      <Group className={css['box'] ?? ''}>
        {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
        <Input
          className={css['input'] ?? ''}
          {...(placeholder !== undefined && { placeholder })}
          onFocus={({ currentTarget }) => isAutoFocused && currentTarget.select()}
        />
        {suffix && <span className="inline gap-4 rigid caption">{suffix}</span>}
      </Group>
      {error !== null ? (
        <FieldError className={css['error'] ?? ''}>
          <CircleAlert aria-hidden size={14} strokeWidth={1.75} />
          <span>{error}</span>
        </FieldError>
      ) : (
        hint && (
          <Text slot="description" className={css['hint'] ?? ''}>
            {hint}
          </Text>
        )
      )}
    </TextField>
  );
}
