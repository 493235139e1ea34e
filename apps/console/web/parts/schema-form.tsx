import { useContext, useId } from 'preact/hooks';
import type { Choice, Field as FormField, Group, Leaf, Options, Variant } from '../forms/fields.js';
import { textAt, type Values, variantIn } from '../forms/values.js';
import { Below, Field } from './field.js';
import { FormWordsContext } from './form-words.js';
import { TextArea } from './text-area.js';

interface Form {
  values: Values;
  onChange: (pointer: string, value: string) => void;
  /** A field was left after a change. */
  onLeave?: () => void;
  /** Faults by the place of the field. */
  faults: ReadonlyMap<string, string>;
  /** Names of stored credentials of a kind by their id, for fields that refer to one. */
  stored?: (kind: string) => ReadonlyMap<string, string>;
}

/** The fields of an object; optional ones are folded, unless something is wrong with them or they have a value. */
export function SchemaForm({ fields, ...form }: Form & { fields: readonly FormField[] }) {
  const words = useContext(FormWordsContext);
  const shown = fields.filter(({ kind }) => kind !== 'fixed');
  const optional = shown.filter(({ isRequired }) => !isRequired);
  const isInUse = optional.some(({ pointer }) =>
    [...form.faults.keys(), ...Object.keys(form.values).filter((one) => form.values[one])].some(
      (one) => one.startsWith(pointer),
    ),
  );
  return (
    <>
      {shown
        .filter(({ isRequired }) => isRequired)
        .map((field) => (
          <AnyField key={field.pointer} field={field} {...form} />
        ))}
      {optional.length > 0 && (
        <details open={isInUse || optional.length === shown.length}>
          <summary>{words.optional(optional.length)}</summary>
          <div class="fields">
            {optional.map((field) => (
              <AnyField key={field.pointer} field={field} {...form} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function AnyField({ field, ...form }: Form & { field: FormField }) {
  switch (field.kind) {
    case 'fixed':
      return null;
    case 'group':
      return <GroupField field={field} {...form} />;
    case 'choice':
      return <ChoiceField field={field} {...form} />;
    case 'options':
      return <OptionsField field={field} {...form} />;
    default:
      return <LeafField field={field} {...form} />;
  }
}

/** The hint of a field, which a provider document may have in another language than the page. */
function Hint({ of: field }: { of: Leaf | Options }) {
  const words = useContext(FormWordsContext);
  const { text, language } = field.hint === undefined ? {} : words.hint(field.hint);
  const values = field.kind === 'lines' ? field.values : undefined;
  if (text === undefined && values === undefined) return null;
  return (
    <>
      {text !== undefined && <span lang={language}>{text}</span>}
      {text !== undefined && values && ' '}
      {values && words.anyOf(values)}
    </>
  );
}

function LeafField({ field, values, onChange, onLeave, faults }: Form & { field: Leaf }) {
  const words = useContext(FormWordsContext);
  const { pointer, kind, placeholder, isRequired } = field;
  const hint = <Hint of={field} />;
  const label = words.label(nameOf(field), field.label);
  const value = textAt(values, field);
  const change = (text: string) => onChange(pointer, text);
  if (kind === 'boolean')
    return (
      <OptionsField
        field={{ ...field, kind: 'options', options: ['true', 'false'] }}
        values={values}
        onChange={onChange}
        faults={faults}
        {...(onLeave ? { onLeave } : {})}
      />
    );
  if (kind === 'lines' || kind === 'json')
    return (
      <TextArea
        label={label}
        value={value}
        isRequired={isRequired}
        hint={hint}
        note={kind === 'lines' ? words.onePerLine : words.asJson}
        rows={2}
        fault={faults.get(pointer)}
        onInput={change}
        onLeave={onLeave}
      />
    );
  return (
    <Field
      label={label}
      hint={hint}
      value={value}
      placeholder={placeholder}
      isRequired={isRequired}
      onLeave={onLeave}
      type={kind === 'secret' ? 'password' : 'text'}
      autocomplete="off"
      inputMode={kind === 'url' ? 'url' : kind === 'number' ? 'numeric' : undefined}
      fault={faults.get(pointer)}
      onInput={change}
    />
  );
}

function OptionsField({ field, values, onChange, onLeave, faults }: Form & { field: Options }) {
  const words = useContext(FormWordsContext);
  const { pointer, options, isRequired } = field;
  const id = useId();
  const inWords = (value: string) => {
    const given = field.words?.[value];
    return typeof given === 'string' ? `${words.hint(given).text} (${value})` : value;
  };
  return (
    <div class="field">
      <label>
        {words.label(nameOf(field), field.label)}
        <select
          required={isRequired}
          value={textAt(values, field)}
          aria-describedby={`${id}-hint ${id}-fault`}
          aria-invalid={faults.has(pointer)}
          onChange={(event) => {
            onChange(pointer, event.currentTarget.value);
            onLeave?.();
          }}
        >
          <option value="">{isRequired ? words.choose : '–'}</option>
          {options.map((one) => (
            <option key={one} value={one}>
              {one === 'true' ? words.yes : one === 'false' ? words.no : inWords(one)}
            </option>
          ))}
        </select>
      </label>
      <Below id={id} hint={<Hint of={field} />} fault={faults.get(pointer)} />
    </div>
  );
}

function GroupField({ field, ...form }: Form & { field: Group }) {
  const words = useContext(FormWordsContext);
  const fault = form.faults.get(field.pointer);
  return (
    <fieldset>
      <legend>{words.label(nameOf(field), field.label)}</legend>
      {fault !== undefined && <p class="wrong">{fault}</p>}
      <SchemaForm fields={field.fields} {...form} />
    </fieldset>
  );
}

/** Variants that refer to a stored credential are offered only if there is one. */
function ChoiceField({ field, ...form }: Form & { field: Choice }) {
  const words = useContext(FormWordsContext);
  const { values, onChange, faults, stored } = form;
  const isThere = ({ stored: kind }: Variant) =>
    kind === undefined || (stored?.(kind).size ?? 0) > 0;
  const variants = field.variants.filter(isThere);
  const chosen = variantIn(values, { ...field, variants });
  const fault = faults.get(field.pointer) ?? faults.get(`${field.pointer}/type`);
  return (
    <fieldset>
      <legend>
        {words.label(nameOf(field), field.label)}
        {variants.length === 1 && chosen && `: ${words.label(chosen.name, chosen.label)}`}
      </legend>
      {fault !== undefined && <p class="wrong">{fault}</p>}
      {variants.length > 1 && (
        <label>
          {words.kind}
          <select
            value={chosen?.name}
            onChange={(event) => onChange(`${field.pointer}/type`, event.currentTarget.value)}
          >
            {variants.map(({ name, label }) => (
              <option key={name} value={name}>
                {words.label(name, label)}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen?.stored === undefined ? (
        <SchemaForm fields={chosen?.fields ?? []} {...form} />
      ) : (
        <StoredCredential
          pointer={`${field.pointer}/value`}
          names={stored?.(chosen.stored) ?? new Map()}
          {...form}
        />
      )}
    </fieldset>
  );
}

interface StoredProps extends Form {
  pointer: string;
  names: ReadonlyMap<string, string>;
}

function StoredCredential({ pointer, names, values, onChange, onLeave, faults }: StoredProps) {
  const words = useContext(FormWordsContext);
  const fault = faults.get(pointer);
  return (
    <div class="field">
      <label>
        {words.credential}
        <select
          value={values[pointer] ?? ''}
          aria-invalid={fault !== undefined}
          onChange={(event) => {
            onChange(pointer, event.currentTarget.value);
            onLeave?.();
          }}
        >
          <option value="">{words.choose}</option>
          {[...names].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="wrong">{fault}</p>
    </div>
  );
}

/** Name of a field in its object. */
function nameOf({ pointer }: FormField): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}
