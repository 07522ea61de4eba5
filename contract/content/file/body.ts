import { type Content, type Message, ROLES, type Role } from '../content.ts';
import { FRAGMENT as FRAGMENTS, fragmentNameOf } from '../fragments.ts';
import { escaped } from '../visible.ts';
import { withoutControls } from './controls.ts';
import type { Refuse } from './error.ts';

// Sticky: they match at one place, where two braces open.
const ROLE = /\{\{\s*role\s+"([^"{}]*)"\s*\}\}/y;
const HISTORY = /\{\{\s*history(?:\s+"([^"{}]*)")?(?:\s+optional=(true|false))?\s*\}\}/y;
const FRAGMENT = new RegExp(FRAGMENTS.source, 'y');
const VARIABLE = /\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\}/y;

// What Handlebars reads as something else than the value of a variable.
const NO_VARIABLE = /^[#/^>!&@~*[]|["'=(|`]|~$|^(?:else|this|role|\.{1,2})$/;

const matchAt = (pattern: RegExp, text: string, index: number): RegExpExecArray | undefined => {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
};

/** Something that begins a message or stands for a list of messages. */
interface Marker {
  readonly start: number;
  readonly end: number;
  readonly message: { readonly role: Role } | Message;
}

const FILE_ROLES: ReadonlyMap<string, Role> = new Map([
  ...ROLES.map((role) => [role, role] as const),
  ['model', 'assistant'],
]);

const markerAt = (body: string, start: number, refuse: Refuse): Marker | undefined => {
  const role = matchAt(ROLE, body, start);
  if (role !== undefined) {
    const known = FILE_ROLES.get(role[1] ?? '');
    if (known === undefined)
      refuse(`"${role[1]}" is not a role. The roles are system, developer, user and model.`, start);
    return { start, end: start + role[0].length, message: { role: known } };
  }
  const history = matchAt(HISTORY, body, start);
  if (history === undefined) return undefined;
  const [text, name = 'history', optional] = history;
  const flag = optional === 'true' ? { optional: true } : {};
  return { start, end: start + text.length, message: { type: 'placeholder', name, ...flag } };
};

/** Where a variable or a declared fragment ends; undefined if neither begins here. */
const endOfTag = (body: string, start: number, fragments: ReadonlySet<string>) => {
  const fragment = matchAt(FRAGMENT, body, start);
  if (fragment !== undefined && fragments.has(fragment[1] ?? '')) return start + fragment[0].length;
  const variable = body[start - 1] === '\\' ? undefined : matchAt(VARIABLE, body, start);
  const isVariable = variable !== undefined && !NO_VARIABLE.test(variable[1] ?? '');
  return isVariable ? start + variable[0].length : undefined;
};

const NO_TAG =
  'Only variables, roles, histories and declared fragments can stand between double braces. Other parts of Handlebars are not supported: for text that looks like them, write "cuevault.escapes: true" in the header, and \\u007b for the first brace.';

// A backslash that begins no escape is one.
const ESCAPE = /\\u([0-9a-f]{4})/g;

const unescaped = (text: string) =>
  text.replace(ESCAPE, (_escape, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** A text as a body with escapes holds it: as it is but for what would be trimmed, hide, or be a tag. */
const withEscapes = (text: string, fragments: ReadonlySet<string>) => {
  let safe = text.replace(ESCAPE, (found) => escaped('\\') + found.slice(1));
  for (let start = safe.indexOf('{{'); start >= 0; ) {
    const end = endOfTag(safe, start, fragments);
    if (end === undefined) safe = safe.slice(0, start) + escaped('{') + safe.slice(start + 1);
    start = safe.indexOf('{{', end ?? start);
  }
  return withoutControls(safe).replace(/\r|^\s+|\s+$/g, escaped);
};

const markersIn = (body: string, fragments: ReadonlySet<string>, refuse: Refuse): Marker[] => {
  const markers: Marker[] = [];
  for (let start = body.indexOf('{{'); start >= 0; ) {
    const marker = markerAt(body, start, refuse);
    if (marker !== undefined) markers.push(marker);
    start = body.indexOf('{{', marker?.end ?? endOfTag(body, start, fragments) ?? refuse(NO_TAG, start));
  }
  return markers;
};

const messagesBetween = (
  body: string,
  markers: readonly Marker[],
  textOf: (text: string) => string,
  refuse: Refuse,
): Message[] => {
  const first: Marker = { start: 0, end: 0, message: { role: 'user' } };
  return [first, ...markers].flatMap(({ end, message }, index): Message[] => {
    const content = body.slice(end, markers[index]?.start).trim();
    if ('role' in message) return content === '' ? [] : [{ role: message.role, content: textOf(content) }];
    if (content !== '') refuse('Text after a history needs a role first, such as {{role "user"}}.', end);
    return [message];
  });
};

/** What a body holds: one template, or the messages of a chat. */
export type Body =
  | { readonly prompt: string }
  | { readonly type: 'chat'; readonly messages: readonly Message[] };

/**
 * Reads the body of a prompt file. A body with roles or histories is a chat, any other a text unless `type` says
 * otherwise. The blanks around a template or message are not part of it. With `escapes`, `\\uXXXX` stands for a character.
 */
export const parseBody = (
  body: string,
  {
    type,
    includes = [],
    escapes = false,
  }: {
    readonly type?: 'text' | 'chat' | undefined;
    readonly includes?: readonly string[] | undefined;
    readonly escapes?: boolean | undefined;
  },
  refuse: Refuse,
): Body => {
  const textOf = (text: string) => (escapes ? unescaped(text) : text);
  const markers = markersIn(body, new Set(includes.map(fragmentNameOf)), refuse);
  const [first] = markers;
  if (first === undefined && type !== 'chat') return { prompt: textOf(body.trim()) };
  if (type === 'text' && first !== undefined)
    refuse('A text prompt has no roles and histories.', first.start);
  return { type: 'chat', messages: messagesBetween(body, markers, textOf, refuse) };
};

const printed = (message: Message) => {
  if ('role' in message)
    return `{{role "${message.role === 'assistant' ? 'model' : message.role}"}}\n${message.content}\n`;
  return `{{history "${message.name}"${message.optional === true ? ' optional=true' : ''}}}\n`;
};

/** The body of a content, as it is or with escapes. */
export const printBody = (content: Content, escapes: boolean): string => {
  const fragments = new Set((content.includes ?? []).map(fragmentNameOf));
  const textOf = (text: string) => (escapes ? withEscapes(text, fragments) : text);
  if (content.type !== 'chat') return `${textOf(content.prompt)}\n`;
  return content.messages
    .map((message) => printed('role' in message ? { ...message, content: textOf(message.content) } : message))
    .join('');
};
