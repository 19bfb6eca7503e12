/// What a Supabase project is set up with: the tables, the rules and the functions that clients speak to.
///
/// The text is `Docs/supabase/schema.sql`, compiled in through the link to it in this folder, so that the program
/// needs no file beside it.
package enum HostedSchema {
    /// SQL for PostgreSQL 15 and newer, as UTF-8. Running it twice changes nothing.
    package static var sql: [UInt8] { PackageResources.schema_sql }
}
