import { readFileSync } from 'node:fs';
import { synthesize } from '../stack.ts';
import { policyTable } from './policy-table.ts';

const stack = synthesize();
const { Properties } = stack.routes.only('AWS::ApiGatewayV2::Authorizer');

test('operators of the user pool are admitted, through the two clients of the admin site', () => {
  const clients = Object.keys(stack.resources('AWS::Cognito::UserPoolClient'));
  const { Issuer, Audience } = Properties.JwtConfiguration;
  const region = { Ref: 'AWS::Region' };
  const issuer = ['https://cognito-idp.', region, '.', { Ref: 'AWS::URLSuffix' }, '/', { Ref: 'Operators' }];
  expect(Issuer['Fn::Join'][1].map((part: unknown) => stack.passed(part))).toEqual(issuer);
  expect(Audience.map((part: unknown) => stack.passed(part))).toEqual(clients.map((Ref) => ({ Ref })));
  expect(Properties).toMatchObject({
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
  });
});

// The formatter pads the cells of a table and writes emphasis its own way.
const cellsOf = (text: string): string =>
  text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll('_keys_', '*keys*');

test('docs/contributing/policies.md says what the synthesized template grants', () => {
  const page = readFileSync(new URL('../../../docs/contributing/policies.md', import.meta.url), 'utf8');
  expect(cellsOf(page)).toBe(cellsOf(policyTable()));
});
