import { type Message, ROLES, type Role } from '../content.ts';
import { FRAGMENT as FRAGMENTS, fragmentNameOf } from '../fragments.ts';
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

const checkTag = (body: string, start: number, fragments: ReadonlySet<string>, refuse: Refuse): number => {
  const fragment = matchAt(FRAGMENT, body, start);
  if (fragment !== undefined && fragments.has(fragment[1] ?? '')) return start + fragment[0].length;
  const variable = body[start - 1] === '\\' ? undefined : matchAt(VARIABLE, body, start);
  if (variable !== undefined && !NO_VARIABLE.test(variable[1] ?? '')) return start + variable[0].length;
  return refuse(
    'Only variables, roles, histories and declared fragments can stand between double braces. Other parts of Handlebars are not supported; put text that looks like them into "cuevault.content".',
    start,
  );
};

const markersIn = (body: string, fragments: ReadonlySet<string>, refuse: Refuse): Marker[] => {
  const markers: Marker[] = [];
  for (let start = body.indexOf('{{'); start >= 0; ) {
    const marker = markerAt(body, start, refuse);
    if (marker !== undefined) markers.push(marker);
    start = body.indexOf('{{', marker?.end ?? checkTag(body, start, fragments, refuse));
  }
  return markers;
};

const messagesBetween = (body: string, markers: readonly Marker[], refuse: Refuse): Message[] => {
  const first: Marker = { start: 0, end: 0, message: { role: 'user' } };
  return [first, ...markers].flatMap(({ end, message }, index): Message[] => {
    const content = body.slice(end, markers[index]?.start).trim();
    if ('role' in message) return content === '' ? [] : [{ role: message.role, content }];
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
 * otherwise. The blanks around a template or message are not part of it.
 */
export const parseBody = (
  body: string,
  type: 'text' | 'chat' | undefined,
  includes: readonly string[],
  refuse: Refuse,
): Body => {
  const markers = markersIn(body, new Set(includes.map(fragmentNameOf)), refuse);
  const [first] = markers;
  if (first === undefined && type !== 'chat') return { prompt: body.trim() };
  if (type === 'text' && first !== undefined)
    refuse('A text prompt has no roles and histories.', first.start);
  return { type: 'chat', messages: messagesBetween(body, markers, refuse) };
};

const printed = (message: Message): string => {
  if ('role' in message)
    return `{{role "${message.role === 'assistant' ? 'model' : message.role}"}}\n${message.content}\n`;
  return `{{history "${message.name}"${message.optional === true ? ' optional=true' : ''}}}\n`;
};

/** The body with these messages, or with this template. */
export const printBody = (
  content: { readonly prompt: string } | { readonly messages: readonly Message[] },
): string => ('prompt' in content ? `${content.prompt}\n` : content.messages.map(printed).join(''));
