/** The parts that forms are made of, labelled for eyes and screen readers alike. */
import { html } from 'hono/html'
import { Refusal } from '../billing/refusal.ts'
import { InputErrors } from '../wire/input.ts'
import type { Page } from '../wire/page.ts'
import type { Markup } from './words.ts'

type Field = {
  name: string
  label: string
  value?: string | null | undefined
  autocomplete?: string
  /** Which keys a phone shows. */
  inputmode?: 'numeric' | 'tel' | 'text'
  hint?: string
  required?: boolean
  max?: number
  narrow?: boolean
}

export function field({ name, label, value, autocomplete, inputmode, hint, required, max, narrow }: Field): Markup {
  const hintId = `${name}-hint`
  return html`<div class="field${narrow ? ' narrow' : ''}">
      <label for="${name}">${label}${required ? '' : html` <span class="optional">(optional)</span>`}</label>
      ${hint === undefined ? '' : html`<p class="hint" id="${hintId}">${hint}</p>`}
      <input id="${name}" name="${name}" value="${value ?? ''}" maxlength="${max ?? 255}" autocomplete="${autocomplete ?? 'off'}"${
        inputmode === undefined ? '' : html` inputmode="${inputmode}"`
      }${hint === undefined ? '' : html` aria-describedby="${hintId}"`}${required ? html` required` : ''}>
    </div>`
}

type Option = readonly [value: string, words: string]

export const choice = ({
  name,
  label,
  value,
  options,
  autocomplete,
}: {
  name: string
  label: string
  value: string
  options: readonly Option[]
  autocomplete?: string
}): Markup => html`<div class="field">
      <label for="${name}">${label} <span class="optional">(optional)</span></label>
      <select id="${name}" name="${name}" autocomplete="${autocomplete ?? 'off'}">${options.map(
        ([one, words]) => html`
        <option value="${one}"${one === value ? html` selected` : ''}>${words}</option>`,
      )}
      </select>
    </div>`

/** One of several, each with a word about what it means. */
export const radios = ({
  name,
  legend,
  value,
  options,
}: {
  name: string
  legend: string
  value: string | undefined
  options: readonly { value: string; label: Markup | string; hint?: Markup | string }[]
}): Markup => html`<fieldset>
      <legend>${legend}</legend>${options.map(
        (option, place) => html`
      <div class="radio">
        <input type="radio" id="${name}-${place}" name="${name}" value="${option.value}" required${
          option.value === value ? html` checked` : ''
        }${option.hint === undefined ? '' : html` aria-describedby="${name}-${place}-hint"`}>
        <label for="${name}-${place}">${option.label}</label>
        ${option.hint === undefined ? '' : html`<p class="hint" id="${name}-${place}-hint">${option.hint}</p>`}
      </div>`,
      )}
    </fieldset>`

/** Does what a form asks for; what it refuses is told on the form, which is shown again. */
export async function attempt(
  work: () => Promise<Page>,
  again: (problems: readonly string[]) => Promise<Page>,
): Promise<Page> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InputErrors) return again(error.messages)
    const isTold = error instanceof Refusal && error.kind === 'invalid' && error.messages.length > 0
    if (isTold) return again(error.messages)
    throw error
  }
}
