/**
 * What the schema has of signing in; it needs no generated types.
 *
 * @source plugins/content-api/WIRE.md#graphql-operations
 */
export const authTypeDefs = `
type Query {
  "The signed-in user."
  me: UsersPermissionsMe
}

type Mutation {
  "Make a user and sign in; without a token when the e-mail address has to be confirmed first."
  register(input: UsersPermissionsRegisterInput!): UsersPermissionsLoginPayload!

  "Sign in with a name or e-mail address, and a password."
  login(input: UsersPermissionsLoginInput!): UsersPermissionsLoginPayload!

  "Give the signed-in user another password; every other sign-in of the user ends."
  changePassword(currentPassword: String!, password: String!, passwordConfirmation: String!): UsersPermissionsLoginPayload

  "Send a code for a new password to an e-mail address, if a user has it."
  forgotPassword(email: String!): UsersPermissionsPasswordPayload

  "Set a new password with the code that was sent."
  resetPassword(code: String!, password: String!, passwordConfirmation: String!): UsersPermissionsLoginPayload

  "Confirm an e-mail address with the token that was sent to it."
  emailConfirmation(confirmation: String!): UsersPermissionsLoginPayload
}

input UsersPermissionsRegisterInput {
  username: String!
  email: String!
  password: String!
}

input UsersPermissionsLoginInput {
  identifier: String!
  password: String!
  provider: String! = "local"
}

type UsersPermissionsLoginPayload {
  jwt: String
  "In refresh mode, unless a cookie holds it."
  refreshToken: String
  user: UsersPermissionsMe!
}

type UsersPermissionsMe {
  id: ID!
  documentId: ID!
  username: String!
  email: String
  confirmed: Boolean
  blocked: Boolean
  role: UsersPermissionsMeRole
}

type UsersPermissionsMeRole {
  id: ID!
  name: String!
  description: String
  type: String
}

type UsersPermissionsPasswordPayload {
  ok: Boolean!
}
`;

/**
 * What the schema has of users and roles beside the generated types.
 *
 * @source plugins/content-api/WIRE.md#graphql-operations
 */
export const userTypeDefs = `
type Mutation {
  createUsersPermissionsUser(data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!

  "\`id\` is a row id or a documentId."
  updateUsersPermissionsUser(id: ID!, data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!

  "\`id\` is a row id or a documentId."
  deleteUsersPermissionsUser(id: ID!): UsersPermissionsUserEntityResponse!

  createUsersPermissionsRole(data: UsersPermissionsRoleInput!): UsersPermissionsCreateRolePayload

  "\`id\` is a row id or a documentId."
  updateUsersPermissionsRole(id: ID!, data: UsersPermissionsRoleInput!): UsersPermissionsUpdateRolePayload

  "Delete a role; its users become Public. \`id\` is a row id or a documentId."
  deleteUsersPermissionsRole(id: ID!): UsersPermissionsDeleteRolePayload
}

type UsersPermissionsUserEntityResponse {
  data: UsersPermissionsUser
}

type UsersPermissionsCreateRolePayload {
  ok: Boolean!
}

type UsersPermissionsUpdateRolePayload {
  ok: Boolean!
}

type UsersPermissionsDeleteRolePayload {
  ok: Boolean!
}
`;
