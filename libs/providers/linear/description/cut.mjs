// Writes schema.graphql: the part of Linear's schema that is about issues, out of the type declarations of its own SDK, which
// Linear generates from the schema (the schema itself is in no package). Fields that Linear marks as internal are left out, so that
// using one fails.
//   npm pack @linear/sdk@98.0.0, unpack it, and
//   node libs/providers/linear/description/cut.mjs package/dist/index-*.d.mts > libs/providers/linear/description/schema.graphql
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const roots = {
  Query: [
    'viewer',
    'issues',
    'issue',
    'teams',
    'team',
    'workflowStates',
    'issueLabels',
    'users',
    'user',
    'comment',
    'attachment',
    'webhook',
  ],
  Mutation: [
    'issueCreate',
    'issueUpdate',
    'issueLabelCreate',
    'commentCreate',
    'commentUpdate',
    'commentDelete',
    'attachmentCreate',
    'attachmentDelete',
    'fileUpload',
    'webhookCreate',
    'webhookDelete',
  ],
};
const kept = new Set([
  'Issue',
  'IssueConnection',
  'PageInfo',
  'Team',
  'TeamConnection',
  'WorkflowState',
  'WorkflowStateConnection',
  'User',
  'UserConnection',
  'IssueLabel',
  'IssueLabelConnection',
  'Comment',
  'CommentConnection',
  'Attachment',
  'AttachmentConnection',
  'IssuePayload',
  'CommentPayload',
  'AttachmentPayload',
  'DeletePayload',
  'Webhook',
  'WebhookPayload',
  'WebhookCreateInput',
  'IssueLabelPayload',
  'UploadPayload',
  'UploadFile',
  'UploadFileHeader',
  'IssueCreateInput',
  'IssueUpdateInput',
  'CommentCreateInput',
  'CommentUpdateInput',
  'AttachmentCreateInput',
  'IssueLabelCreateInput',
  'IssueFilter',
  'TeamFilter',
  'UserFilter',
  'NullableUserFilter',
  'NullableIssueFilter',
  'WorkflowStateFilter',
  'IssueLabelFilter',
  'IssueLabelCollectionFilter',
  'StringComparator',
  'IdComparator',
  'NullableStringComparator',
  'IssueIdComparator',
  'DateComparator',
  'NullableDateComparator',
  'NumberComparator',
  'NullableNumberComparator',
  'NullableTimelessDateComparator',
  'BooleanComparator',
]);
const builtIn = new Set(['ID', 'String', 'Boolean', 'Int', 'Float']);

const text = readFileSync(process.argv[2], 'utf8');
const source = ts.createSourceFile('linear.d.mts', text, ts.ScriptTarget.Latest, true);
const types = new Map();
const enums = new Map();
for (const statement of source.statements) {
  if (ts.isTypeAliasDeclaration(statement)) types.set(statement.name.text, statement.type);
  if (ts.isEnumDeclaration(statement)) enums.set(statement.name.text, statement);
}
const usedEnums = new Set();
const usedScalars = new Set();

/** Matches `type X = {…}` and `type X = Node & {…}`. */
function members(name) {
  const type = types.get(name);
  const literal = ts.isIntersectionTypeNode(type) ? type.types.at(-1) : type;
  return literal.members.filter((member) => member.name.text !== '__typename');
}

/** Returns the GraphQL type of a field; undefined if its type is left out. */
function graphqlType(node, optional) {
  if (ts.isTypeReferenceNode(node) && ['Maybe', 'InputMaybe'].includes(node.typeName.text))
    return graphqlType(node.typeArguments[0], true);
  const mark = optional ? '' : '!';
  if (ts.isTypeReferenceNode(node) && node.typeName.text === 'Array') {
    const inner = graphqlType(node.typeArguments[0], false);
    return inner && `[${inner}]${mark}`;
  }
  if (ts.isIndexedAccessTypeNode(node)) {
    const name = node.indexType.literal.text;
    if (!builtIn.has(name)) usedScalars.add(name);
    return `${name}${mark}`;
  }
  const name = node.typeName?.text;
  if (enums.has(name)) {
    usedEnums.add(name);
    return `${name}${mark}`;
  }
  return kept.has(name) ? `${name}${mark}` : undefined;
}

function isInternal(member) {
  const [comment] = ts.getLeadingCommentRanges(text, member.getFullStart()) ?? [];
  return (
    comment !== undefined && /\[(?:internal|alpha)\]/i.test(text.slice(comment.pos, comment.end))
  );
}

function fields(name, only) {
  return members(name)
    .filter((member) =>
      only === undefined ? !isInternal(member) : only.includes(member.name.text),
    )
    .flatMap((member) => {
      const field = member.name.text;
      const type = graphqlType(member.type, false);
      if (type === undefined) return [];
      const args = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}Args`;
      const parameters = types.has(args) ? fields(args).map((line) => line.trim()) : [];
      return `  ${field}${parameters.length > 0 ? `(${parameters.join(', ')})` : ''}: ${type}`;
    });
}

const blocks = [];
for (const [name, only] of Object.entries(roots))
  blocks.push(`type ${name} {\n${fields(name, only).join('\n')}\n}`);
for (const name of [...kept].sort()) {
  const isInput = /(?:Input|Filter|Comparator)$/.test(name);
  blocks.push(`${isInput ? 'input' : 'type'} ${name} {\n${fields(name).join('\n')}\n}`);
}
for (const name of [...usedEnums].sort()) {
  const values = enums.get(name).members.map((member) => `  ${member.initializer.text}`);
  blocks.push(`enum ${name} {\n${values.join('\n')}\n}`);
}
for (const name of [...usedScalars].sort()) blocks.push(`scalar ${name}`);
process.stdout.write(`${blocks.join('\n\n')}\n`);
