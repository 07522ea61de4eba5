import { PUBLIC_KEY_RESOURCE } from '../../../contract/functions/signing-key.ts';
import { ACCOUNT, REGION, TABLE_NAME } from '../../../local/aws/account.ts';
import { bucketArn, functionArn, roleArn, tableArn, userPoolArn } from './arns.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface TemplateSource {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

/** Replaces every intrinsic function in a part of a template. */
export type Resolve = (value: unknown) => unknown;

type Attribute = 'Ref' | 'Arn';

/** The local replacements of the stack's KMS keys. */
export interface KeyStandIns {
  /** ARN of each key by its logical id. */
  readonly arns: Readonly<Record<string, string>>;
  /** Public key of the signing key, as base64 of DER. */
  readonly publicKey: string;
}

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/local/local`,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The local ARN of a resource, which is of the type, from its name. */
const ARNS: Readonly<Record<string, (name: string) => string>> = {
  'AWS::DynamoDB::GlobalTable': tableArn,
  'AWS::S3::Bucket': bucketArn,
  'AWS::Cognito::UserPool': userPoolArn,
  'AWS::Lambda::Function': functionArn,
  'AWS::IAM::Role': roleArn,
};

const keyValue = (id: string, attribute: Attribute, { arns }: KeyStandIns): string => {
  const arn = arns[id];
  if (arn === undefined) throw new Error(`No local key replaces ${id}.`);
  return attribute === 'Arn' ? arn : arn.slice(arn.lastIndexOf('/') + 1);
};

/** The local name and ARN of a resource. Resources without a local replacement get ones that match nothing. */
const resourceValue = (id: string, { Type }: Resource, attribute: Attribute, keys: KeyStandIns): string => {
  if (Type === 'AWS::KMS::Key') return keyValue(id, attribute, keys);
  const name = Type.startsWith('AWS::DynamoDB::') ? TABLE_NAME : id;
  if (attribute === 'Ref') return name;
  const service = Type.split('::')[1]?.toLowerCase() ?? '';
  return ARNS[Type]?.(name) ?? `arn:aws:${service}:${REGION}:${ACCOUNT}:${id}`;
};

const reference = (source: TemplateSource, keys: KeyStandIns, id: string): string => {
  const resource = source.Resources[id];
  const value =
    PSEUDO_PARAMETERS[id] ??
    source.Parameters?.[id]?.Default ??
    (resource && resourceValue(id, resource, 'Ref', keys));
  if (value === undefined) throw new Error(`The template refers to ${id}, which has no local value.`);
  return String(value);
};

const attributeOf = (source: TemplateSource, keys: KeyStandIns, [id = '', name = '']: string[]): string => {
  const resource = source.Resources[id];
  if (resource === undefined) throw new Error(`The template refers to ${id}.${name}, but has no ${id}.`);
  if (resource.Type === PUBLIC_KEY_RESOURCE && name === 'PublicKey') return keys.publicKey;
  if (name === 'StreamArn') return `${tableArn(TABLE_NAME)}/stream/local`;
  return name === 'Arn' ? resourceValue(id, resource, 'Arn', keys) : `${id}.${name}`;
};

const substitute = (source: TemplateSource, keys: KeyStandIns, text: string, own: unknown): string => {
  const values = new Map(Object.entries((own ?? {}) as Record<string, unknown>));
  return text.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (values.has(name)) return String(values.get(name));
    return name.includes('.') ? attributeOf(source, keys, name.split('.')) : reference(source, keys, name);
  });
};

/**
 * Returns a function that resolves `Ref`, `Fn::GetAtt`, `Fn::Join` and `Fn::Sub` of a template to local names and ARNs.
 * It throws on other intrinsic functions and on names that the template does not have.
 */
export const resolver = (source: TemplateSource, keys: KeyStandIns): Resolve => {
  const intrinsics: Readonly<Record<string, (argument: unknown) => string>> = {
    Ref: (id) => reference(source, keys, String(id)),
    'Fn::GetAtt': (path) =>
      attributeOf(source, keys, Array.isArray(path) ? path.map(String) : String(path).split('.')),
    'Fn::Join': (argument) => {
      const [separator, parts] = argument as [string, unknown];
      return (resolve(parts) as unknown[]).join(separator);
    },
    'Fn::Sub': (argument) => {
      const [text, own] = (Array.isArray(argument) ? argument : [argument]) as [string, unknown];
      return substitute(source, keys, text, resolve(own));
    },
  };
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [[name, argument] = ['', undefined]] = entries;
    if (entries.length === 1 && Object.hasOwn(intrinsics, name)) return intrinsics[name]?.(argument);
    if (name.startsWith('Fn::')) throw new Error(`The template uses ${name}, which has no local value.`);
    return Object.fromEntries(entries.map(([key, each]) => [key, resolve(each)]));
  };
  return resolve;
};
